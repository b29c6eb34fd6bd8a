#include <dpvi/privacy/event.hpp>

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <string>

#include <dpvi/base/error.hpp>

namespace dpvi {
namespace {

[[noreturn]] void refuse(const std::string& field, const std::string& value, const char* rule,
                         const char* next_step) {
  throw UsageError(kValueOutsideRule, fmt::format("{} is {}; it must be {}.", field, value, rule),
                   next_step);
}

std::string field_name(const char* name, std::size_t phase, std::size_t phases) {
  return phases == 1 ? name : fmt::format("{} of phase {}", name, phase + 1);
}

}  // namespace

void validate(std::span<const GaussianPhase> run) {
  std::int64_t steps = 0;
  for (std::size_t i = 0; i < run.size(); ++i) {
    const auto& [rate, noise, count] = run[i];
    if (!(rate >= std::numeric_limits<double>::min() && rate <= 1))
      refuse(field_name("sampling_rate", i, run.size()), fmt::format("{}", rate),
             "above 0 and at most 1", "Give the probability that a step sees a record.");
    if (!(noise >= std::numeric_limits<double>::min() && std::isfinite(noise)))
      refuse(field_name("noise_multiplier", i, run.size()), fmt::format("{}", noise),
             "positive and finite", "Give the noise's standard deviation in clip bounds.");
    if (count < 0)
      refuse(field_name("steps", i, run.size()), fmt::format("{}", count), "0 or more",
             "Give a number of steps.");
    if (count > kMaxSteps - steps)
      throw UsageError(kTooLarge,
                       fmt::format("steps is {}; a run may have at most {}.", count, kMaxSteps),
                       "Ask for fewer steps.");
    steps += count;
  }
}

void validate_delta(double delta) {
  if (!(delta >= 0 && delta < 1))
    refuse("delta", fmt::format("{}", delta), "at least 0 and below 1",
           "Usual values lie well below one over the number of records.");
}

void validate_epsilon(double epsilon) {
  if (!(epsilon >= 0 && std::isfinite(epsilon)))
    refuse("epsilon", fmt::format("{}", epsilon), "finite and not negative",
           "Usual values lie between 0.1 and 10.");
}

std::int64_t total_steps(std::span<const GaussianPhase> run) {
  std::int64_t steps = 0;
  for (const GaussianPhase& phase : run) steps += phase.steps;
  return steps;
}

}  // namespace dpvi
