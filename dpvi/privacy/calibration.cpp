#include <dpvi/privacy/calibration.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include <dpvi/base/error.hpp>
#include <dpvi/privacy/analytic_gaussian.hpp>
#include <dpvi/privacy/largest_private_solution.hpp>
#include <dpvi/privacy/noise_grid.hpp>

namespace dpvi {
namespace {

constexpr auto kLargestNoise = static_cast<double>(NoiseGrid::kNoiseStd);
constexpr double kSmallestNoise =
    kLargestNoise / static_cast<double>(NoiseGrid::kLargestIntegerBound);

void validate(const PrivacyTarget& target) {
  validate_epsilon(target.epsilon);
  validate_delta(target.delta);
  if (target.delta == 0)
    throw UsageError(kNotSolvable,
                     "delta is 0; Gaussian noise gives no finite epsilon without a positive delta.",
                     "Give a delta well below one over the number of records.");
}

// The largest distance between the means of two unit normals that meets the target.
double allowed_mean_shift(const PrivacyTarget& target) {
  double low = 1e-12, high = 1e6;
  for (int i = 0; i < 100; ++i) {
    const double middle = std::sqrt(low * high);
    (analytic_gaussian_delta(middle, target.epsilon).upper <= target.delta ? low : high) = middle;
  }
  return low;
}

// Central-limit guess (Bu et al. 2020). It is not a bound; it only determines where the search
// starts.
double guessed_mean_shift(std::span<const GaussianPhase> run, Adjacency adjacency) {
  double sum = 0;
  for (const auto& [rate, noise, steps] : run)
    sum +=
        static_cast<double>(steps) * rate * rate * std::expm1(std::min(1 / (noise * noise), 500.0));
  return std::sqrt(sum) * (adjacency == Adjacency::substitute ? 2 : 1);
}

GaussianRun scaled(std::span<const GaussianPhase> relative, double factor) {
  GaussianRun run(relative.begin(), relative.end());
  for (GaussianPhase& phase : run) phase.noise_multiplier *= factor;
  return run;
}

// Rounds every noise multiplier up to the grid.
GaussianRun snapped(GaussianRun run) {
  for (GaussianPhase& phase : run) {
    const double noise = std::clamp(phase.noise_multiplier, kSmallestNoise, kLargestNoise);
    phase.noise_multiplier = NoiseGrid(noise).noise_multiplier();
  }
  return run;
}

// Range of the inverse of the factor that scales relative noise multipliers.
LargestPrivateSolution::Range range_of_scales(std::span<const GaussianPhase> relative) {
  const auto [least, most] =
      std::minmax_element(relative.begin(), relative.end(),
                          [](auto& a, auto& b) { return a.noise_multiplier < b.noise_multiplier; });
  return {most->noise_multiplier / kLargestNoise, least->noise_multiplier / kSmallestNoise, false};
}

[[noreturn]] void no_noise_is_enough(const PrivacyTarget& target) {
  throw UsageError(kNotSolvable,
                   fmt::format("no noise multiplier up to {} meets epsilon {} at delta {}.",
                               kLargestNoise, target.epsilon, target.delta),
                   "Ask for fewer steps, a smaller sampling rate or a larger epsilon.");
}

// `run_at(x)` makes a run whose noise decreases with x.
CalibratedRun solve_noise(const std::function<GaussianRun(double)>& run_at,
                          const LargestPrivateSolution::Range& range, const PrivacyTarget& target,
                          const PldEffort& effort) {
  LargestPrivateSolution search(
      [&](double x, const PldEffort& with) {
        return pld_epsilon(run_at(x), target.adjacency, target.delta, with);
      },
      target.epsilon, range);
  const double shift = allowed_mean_shift(target);
  double low = range.least, high = range.most;
  for (int i = 0; i < 60; ++i) {
    const double middle = std::sqrt(low * high);
    (guessed_mean_shift(run_at(middle), target.adjacency) <= shift ? low : high) = middle;
  }
  const auto found = search.solve(range.integer ? std::floor(low) : low, effort);
  if (!found) no_noise_is_enough(target);
  return {run_at(found->x), found->epsilon};
}

}  // namespace

CalibratedRun calibrate_noise(std::span<const GaussianPhase> relative, const PrivacyTarget& target,
                              const PldEffort& effort) {
  validate(relative);
  validate(target);
  if (total_steps(relative) == 0) return {{relative.begin(), relative.end()}, {0, 0}};
  return solve_noise([&](double x) { return scaled(relative, 1 / x); }, range_of_scales(relative),
                     target, effort);
}

CalibratedRun calibrate_noise_on_grid(std::span<const GaussianPhase> relative,
                                      const PrivacyTarget& target, const PldEffort& effort) {
  validate(relative);
  validate(target);
  if (total_steps(relative) == 0) return {snapped({relative.begin(), relative.end()}), {0, 0}};
  if (relative.size() > 1) {
    return solve_noise([&](double x) { return snapped(scaled(relative, 1 / x)); },
                       range_of_scales(relative), target, effort);
  }
  const auto run_at = [&](double integer_bound) {
    const auto grid = NoiseGrid::with_integer_bound(static_cast<std::int64_t>(integer_bound));
    return GaussianRun{{relative[0].sampling_rate, grid.noise_multiplier(), relative[0].steps}};
  };
  return solve_noise(run_at, {1, static_cast<double>(NoiseGrid::kLargestIntegerBound), true},
                     target, effort);
}

CalibratedRun calibrate_steps(GaussianPhase phase, const PrivacyTarget& target,
                              const PldEffort& effort) {
  phase.steps = 1;
  validate(std::span(&phase, 1));
  validate(target);
  const auto run_at = [&](double steps) {
    return GaussianRun{
        {phase.sampling_rate, phase.noise_multiplier, static_cast<std::int64_t>(steps)}};
  };
  const auto most = static_cast<double>(kMaxSteps);
  LargestPrivateSolution search(
      [&](double x, const PldEffort& with) {
        return pld_epsilon(run_at(x), target.adjacency, target.delta, with);
      },
      target.epsilon, {1, most, true});
  const double per_step = guessed_mean_shift(run_at(1), target.adjacency);
  const double guess = std::pow(allowed_mean_shift(target) / per_step, 2);
  const auto found = search.solve(std::floor(std::clamp(guess, 1.0, most)), effort);
  if (!found)
    throw UsageError(
        kNotSolvable,
        fmt::format("not even one step at sampling_rate {} and noise_multiplier {} "
                    "meets epsilon {} at delta {}.",
                    phase.sampling_rate, phase.noise_multiplier, target.epsilon, target.delta),
        "Ask for more noise, a smaller sampling rate or a larger epsilon.");
  if (found->x >= most)
    throw UsageError(kTooLarge,
                     fmt::format("more than {} steps would meet epsilon {} at delta {}.", kMaxSteps,
                                 target.epsilon, target.delta),
                     "Give the number of steps and solve for another quantity.");
  return {run_at(found->x), found->epsilon};
}

}  // namespace dpvi
