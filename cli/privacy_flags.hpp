#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include <dpvi/api/setting_texts.hpp>
#include <dpvi/fit/plan/privacy_plan.hpp>

namespace dpvi::cli {

// Whose defaults the help shows: delta and steps have one in a fit and none in a plan.
enum class PrivacyDefaults { of_a_fit, of_a_plan };

// Flags that set the privacy target and the accountant.
class PrivacyFlags {
 public:
  void declare(CLI::App& app, PrivacyDefaults defaults);

  void add_to(SettingTexts& texts) const;
  // Parses and validates every value. Fills in no defaults.
  PrivacyRequest request() const;

 private:
  std::optional<std::string> epsilon_, delta_, noise_multiplier_, steps_, sampling_rate_,
      adjacency_, accountant_;
  std::vector<std::string> phases_;
};

using dpvi::refuse_name;
using dpvi::split;

}  // namespace dpvi::cli
