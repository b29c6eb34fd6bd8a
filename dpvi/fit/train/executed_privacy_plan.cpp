#include <dpvi/fit/train/executed_privacy_plan.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>

#include <fmt/format.h>

#include <dpvi/base/error.hpp>

namespace dpvi {
namespace {

constexpr const char* kNextStep =
    "Nothing was written; count the plan's budget as spent, and please report this.";

std::string words_of(const GaussianRun& run) {
  std::string words;
  for (const GaussianPhase& phase : run) {
    words += fmt::format("{}{} steps at sampling rate {} and noise multiplier {}",
                         words.empty() ? "" : ", then ", phase.steps, phase.sampling_rate,
                         phase.noise_multiplier);
  }
  return words.empty() ? "no steps" : words;
}

}  // namespace

ExecutedPrivacyPlan::ExecutedPrivacyPlan(const PrivacyPlan& plan, const LoopOutcome& outcome)
    : plan_(plan), result_(outcome.result()) {
  const GaussianRun planned = joined_phases(plan.run);
  const GaussianRun& executed = outcome.releases.run();
  if (planned == executed) return;
  throw InternalError(kInternal,
                      fmt::format("the run does not match its plan, which has {}; the run took {}.",
                                  words_of(planned), words_of(executed)),
                      kNextStep);
}

void ExecutedPrivacyPlan::require_result(std::span<const double> result) const {
  // Compares bit patterns: the numbers of a diverged run may be NaN.
  const auto bits = [](double number) { return std::bit_cast<std::uint64_t>(number); };
  if (std::ranges::equal(result, result_, {}, bits, bits)) return;
  throw InternalError(kInternal, "the privacy plan belongs to another result.", kNextStep);
}

}  // namespace dpvi
