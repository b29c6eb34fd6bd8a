#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace dpvi {

// What was done, never what it costs: `steps` times, each record was taken with probability
// `sampling_rate` independently of the others (Poisson), its contribution had norm at most one clip
// bound, and Gaussian noise with a standard deviation of `noise_multiplier` clip bounds was added
// to the sum.
struct GaussianPhase {
  double sampling_rate = 1.0;     // in (0, 1]
  double noise_multiplier = 1.0;  // positive, finite
  std::int64_t steps = 0;         // not negative; no steps cost nothing

  bool operator==(const GaussianPhase&) const = default;
};

// A run is a list of phases fixed before data is opened; their order does not change the cost.
using GaussianRun = std::vector<GaussianPhase>;

inline constexpr std::int64_t kMaxSteps = std::int64_t{1} << 40;

// Throws UsageError naming field, value and rule. Every accountant calls it first.
void validate(std::span<const GaussianPhase> run);

// A target delta must lie in [0, 1); a target epsilon must be finite and not negative.
void validate_delta(double delta);
void validate_epsilon(double epsilon);

std::int64_t total_steps(std::span<const GaussianPhase> run);

}  // namespace dpvi
