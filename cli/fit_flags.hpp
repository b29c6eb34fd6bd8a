#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <dpvi/api/fit_request.hpp>
#include <dpvi/api/setting_texts.hpp>

#include "privacy_flags.hpp"

namespace dpvi::cli {

// Flags that configure a fit. Names, defaults and help texts are those of dpvi/api/settings.hpp.
class FitFlags {
 public:
  void declare(CLI::App& app);

  bool non_private() const { return non_private_; }
  bool dry_run() const { return dry_run_; }
  bool profile() const { return profile_; }
  int threads() const;
  std::vector<std::string> public_names() const;

  // The request of a private fit.
  FitRequest request() const;
  // The request of a fit with --non-private.
  UnprotectedFitRequest unprotected_request() const;

  // Throws UsageError if flags contradict each other.
  void check() const;

 private:
  SettingTexts texts() const;

  PrivacyFlags privacy_;
  std::map<std::string, std::optional<std::string>> texts_;  // by setting
  bool non_private_ = false;
  bool profile_ = false;
  bool dry_run_ = false;
  bool inspect_first_ = false;
};

// Returns the names in a list A,B,...
std::vector<std::string> name_list(const std::string& names);

}  // namespace dpvi::cli
