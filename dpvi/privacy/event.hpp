#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace dpvi {

// Describes what was done, never what it costs. In each of `steps` steps, every record was sampled
// with probability `sampling_rate`, independently of the others (Poisson sampling). Its
// contribution had norm at most one clip bound. Gaussian noise with a standard deviation of
// `noise_multiplier` clip bounds was added to the sum.
struct GaussianPhase {
  double sampling_rate = 1.0;     // in (0, 1]
  double noise_multiplier = 1.0;  // positive, finite
  std::int64_t steps = 0;         // not negative; a phase without steps costs nothing

  bool operator==(const GaussianPhase&) const = default;
};

// A run is a list of phases fixed before data is opened. Their order does not change the cost.
using GaussianRun = std::vector<GaussianPhase>;

inline constexpr std::int64_t kMaxSteps = std::int64_t{1} << 40;

// Throws a UsageError that names the field, the value and the rule. Every accountant calls this
// first.
void validate(std::span<const GaussianPhase> run);

// Throw UsageError unless delta lies in [0, 1) and epsilon is finite and not negative.
void validate_delta(double delta);
void validate_epsilon(double epsilon);

std::int64_t total_steps(std::span<const GaussianPhase> run);

}  // namespace dpvi
