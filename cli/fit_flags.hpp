#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>

#include <dpvi/data/schema.hpp>
#include <dpvi/fit/train/private_fit.hpp>

#include "privacy_flags.hpp"

namespace dpvi::cli {

// Flags that configure a fit, parsed and validated.
class FitFlags {
 public:
  void declare(CLI::App& app);

  bool non_private() const { return non_private_; }
  bool dry_run() const { return dry_run_; }
  FitSpeed speed() const;
  const std::string& init() const { return init_; }
  std::uint64_t seed() const;
  const std::string& public_names() const { return public_names_; }

  // The schema may declare the table size.
  FitSettings settings(const Schema& schema) const;

  // Returns the plan of a private fit: the requested settings with defaults filled in, and their
  // privacy cost.
  PrivacyPlan plan() const;
  // Returns the single phase of an unprotected fit.
  GaussianPhase unprotected_phase(std::uint64_t records) const;

  // Throws UsageError if flags contradict each other.
  void check() const;

 private:
  PrivacyFlags privacy_;
  std::string clip_ = "adaptive";
  std::string family_ = "mean-field";
  std::string gradient_ = "aligned";
  std::string init_ = "mock";
  std::string optimizer_ = "adam";
  std::optional<std::string> schedule_;
  std::string average_ = "tail";
  std::string public_names_;
  std::optional<std::string> clip_bound_, rank_, initial_scale_, learning_rate_, draws_, rows_,
      threads_, seed_;
  bool non_private_ = false;
  bool profile_ = false;
  bool dry_run_ = false;
};

}  // namespace dpvi::cli
