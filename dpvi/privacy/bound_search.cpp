#include <dpvi/privacy/bound_search.hpp>

#include <algorithm>
#include <cmath>

#include <dpvi/base/error.hpp>
#include <dpvi/privacy/noise_grid.hpp>

namespace dpvi {
namespace {

// Multiplies the phases' noise multipliers by `factor` and rounds each up to the grid.
GaussianRun scaled_onto_grid(std::span<const GaussianPhase> relative, double factor) {
  GaussianRun run(relative.begin(), relative.end());
  for (GaussianPhase& phase : run) {
    phase.noise_multiplier = NoiseGrid(phase.noise_multiplier * factor).noise_multiplier();
  }
  return run;
}

}  // namespace

MeetsTarget meets_target(const PrivacyTarget& target, Accountant accountant) {
  return [target, accountant](std::span<const GaussianPhase> run) {
    return !why_no_claim(accountant, run, target.adjacency, target.delta) &&
           epsilon_bound(accountant, run, target.adjacency, target.delta) <= target.epsilon;
  };
}

GaussianRun least_noise_on_grid(std::span<const GaussianPhase> relative, const MeetsTarget& meets) {
  double smallest = relative[0].noise_multiplier;
  double largest = smallest;
  for (const GaussianPhase& phase : relative) {
    smallest = std::min(smallest, phase.noise_multiplier);
    largest = std::max(largest, phase.noise_multiplier);
  }
  constexpr double kStd = static_cast<double>(NoiseGrid::kNoiseStd);
  constexpr double kLeast = kStd / static_cast<double>(NoiseGrid::kLargestIntegerBound);
  double low = std::log(kLeast / smallest);
  double high = std::log(kStd / largest);
  constexpr double kInside = 1e-12;  // keeps rounding from crossing the ends of the grid
  low += kInside;
  high -= kInside;
  if (low > high || !meets(scaled_onto_grid(relative, std::exp(high)))) {
    throw UsageError(kNotSolvable, "not even the largest noise multiplier meets the target.",
                     "Allow a larger epsilon or delta, fewer steps or a smaller sampling rate.");
  }
  if (meets(scaled_onto_grid(relative, std::exp(low)))) {
    return scaled_onto_grid(relative, std::exp(low));
  }
  constexpr int kHalvings = 50;
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = 0.5 * (low + high);
    (meets(scaled_onto_grid(relative, std::exp(middle))) ? high : low) = middle;
  }
  return scaled_onto_grid(relative, std::exp(high));
}

GaussianRun most_steps(GaussianPhase phase, const MeetsTarget& meets) {
  const auto enough = [&](std::int64_t steps) {
    phase.steps = steps;
    return meets({&phase, 1});
  };
  if (!enough(1)) {
    throw UsageError(kNotSolvable, "not even one step meets the target.",
                     "Use more noise, a smaller sampling rate or a larger epsilon.");
  }
  std::int64_t most = 1;
  while (most < kMaxSteps && enough(std::min(2 * most, kMaxSteps))) {
    most = std::min(2 * most, kMaxSteps);
  }
  std::int64_t too_many = 2 * most;
  while (most < kMaxSteps && too_many - most > 1) {
    const std::int64_t middle = most + (too_many - most) / 2;
    (enough(middle) ? most : too_many) = middle;
  }
  phase.steps = most;
  return {phase};
}

}  // namespace dpvi
