#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include <dpvi/fit/plan/privacy_plan.hpp>

namespace dpvi::cli {

// Whose defaults the help shows: delta and steps have one in a fit and none in a plan.
enum class PrivacyDefaults { of_a_fit, of_a_plan };

// Flags that set the privacy target and the accountant.
class PrivacyFlags {
 public:
  void declare(CLI::App& app, PrivacyDefaults defaults);

  // Parses and validates every value. Fills in no defaults.
  PrivacyRequest request() const;

 private:
  std::optional<std::string> epsilon_, delta_, noise_multiplier_, steps_, sampling_rate_,
      adjacency_, accountant_;
  std::vector<std::string> phases_;
};

double parse_positive(const std::string& flag, const std::string& text);

// Refuses `text` because it is none of `names`. The message suggests the nearest name.
[[noreturn]] void refuse_name(const std::string& flag, const std::string& text,
                              const std::vector<std::string>& names);

// Returns the parts between separators. An empty text yields one empty part.
std::vector<std::string> split(const std::string& text, char separator);

}  // namespace dpvi::cli
