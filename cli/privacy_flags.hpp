#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include <dpvi/fit/privacy_plan.hpp>

namespace dpvi::cli {

// The flags that say how private a run is to be, and how it is to be accounted for.
class PrivacyFlags {
 public:
  void declare(CLI::App& app);

  // With every value parsed and held against its rule. Nothing is filled in.
  PrivacyPlanRequest request() const;

 private:
  std::optional<std::string> epsilon_, delta_, noise_multiplier_, steps_, sampling_rate_;
  std::string adjacency_ = "substitute";
  std::string accountant_ = "pld";
  std::vector<std::string> phases_;
};

double parse_positive(const std::string& flag, const std::string& text);

// Refuses `text` as none of `names`, with the nearest of them.
[[noreturn]] void refuse_name(const std::string& flag, const std::string& text,
                              const std::vector<std::string>& names);

// The pieces between separators; an empty text is one empty piece.
std::vector<std::string> split(const std::string& text, char separator);

}  // namespace dpvi::cli
