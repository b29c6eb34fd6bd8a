#include <dpvi/privacy/calibration.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>

#include <dpvi/base/error.hpp>
#include <dpvi/privacy/analytic_gaussian.hpp>

namespace dpvi {
namespace {

// Enough to know where to look.
PldEffort quick_effort(const PldEffort& effort) {
  PldEffort quick = effort;
  quick.relative_width = quick.absolute_width = 0.05;
  quick.usual_length = quick.few_steps_length = std::size_t{1} << 13;
  quick.largest_length = std::min(effort.largest_length, std::size_t{1} << 17);
  return quick;
}

// Finds the largest x whose epsilon meets the target, where epsilon rises with x. Whatever the
// search does, only a point that was itself certified is returned.
class LargestSafe {
 public:
  using EpsilonAt = std::function<Bracket(double x, const PldEffort&)>;
  struct Range {
    double least, most;
    bool integer;
  };

  LargestSafe(EpsilonAt epsilon_at, double target, Range range)
      : epsilon_at_(std::move(epsilon_at)), target_(target), range_(range) {}

  // Empty where not even the least x is safe; x = most where everything is.
  std::optional<double> solve(double guess, const PldEffort& effort) {
    search(guess, quick_effort(effort), 1e-3);
    const double quick = safe_ ? safe_->x : guess;
    safe_.reset();
    unsafe_.reset();
    search(quick, effort, range_.integer ? 0 : 1e-6);
    if (!safe_) return std::nullopt;
    return safe_->x;
  }
  Bracket epsilon() const { return safe_->epsilon; }

 private:
  struct Point {
    double x;
    Bracket epsilon;
    double excess;  // ln(epsilon / target), within bounds
  };

  void search(double guess, const PldEffort& effort, double tolerance) {
    double x = clamp(guess);
    for (int i = 0; i < 100; ++i) {
      const Point point = evaluate(x, effort);
      const bool safe = point.epsilon.upper <= target_;
      if (latest_ && latest_->x != x && std::abs(point.excess) < 5 && std::abs(latest_->excess) < 5)
        slope_ = std::clamp((point.excess - latest_->excess) / std::log(x / latest_->x), 0.1, 20.0);
      latest_ = point;
      (safe ? safe_ : unsafe_) = point;
      if (safe && (x >= range_.most || point.excess > -tolerance)) return;
      if (!safe && x <= range_.least) return;
      if (safe_ && unsafe_ && narrow(tolerance)) return;
      // Every fourth step halves, whatever the slope says.
      x = safe_ && unsafe_ && i % 4 == 3 ? middle() : propose(point, tolerance);
    }
  }

  Point evaluate(double x, const PldEffort& effort) const {
    const Bracket epsilon = epsilon_at_(x, effort);
    if (epsilon.upper == 0) return {x, epsilon, -30.0};
    return {x, epsilon, std::clamp(std::log(epsilon.upper / target_), -30.0, 30.0)};
  }

  bool narrow(double tolerance) const {
    if (range_.integer && unsafe_->x - safe_->x <= 1) return true;
    return unsafe_->x - safe_->x <= (range_.integer ? 1e-15 : 0.01 * tolerance) * safe_->x;
  }

  // Along the latest slope, aimed just inside the target, kept strictly within what is open.
  double propose(const Point& from, double tolerance) const {
    const double aim = range_.integer ? 0 : -0.3 * tolerance;
    double x = from.x * std::exp(std::clamp((aim - from.excess) / slope_, -3.0, 3.0));
    if (range_.integer) x = std::floor(x);
    const double low = safe_ ? safe_->x : range_.least;
    const double high = unsafe_ ? unsafe_->x : range_.most;
    if (range_.integer && safe_ && unsafe_) return std::clamp(x, low + 1, high - 1);
    if (safe_ && unsafe_ && !(x > low && x < high)) return middle();
    if (!safe_ && x >= from.x) x = from.x / 2;
    if (!unsafe_ && x <= from.x) x = from.x + std::max(1.0 * range_.integer, 1e-9 * from.x);
    return clamp(x);
  }

  double middle() const {
    const double x = std::sqrt(safe_->x * unsafe_->x);
    return range_.integer ? std::clamp(std::floor(x), safe_->x + 1, unsafe_->x - 1) : x;
  }
  double clamp(double x) const { return std::clamp(x, range_.least, range_.most); }

  EpsilonAt epsilon_at_;
  double target_;
  Range range_;
  double slope_ = 1;
  std::optional<Point> safe_, unsafe_, latest_;
};

constexpr double kLargestNoise = static_cast<double>(kNoiseGridSteps);
constexpr double kSmallestNoise = 1e-3;

void validate(const PrivacyTarget& target) {
  validate_epsilon(target.epsilon);
  validate_delta(target.delta);
  if (target.delta == 0)
    throw UsageError(kNotSolvable,
                     "delta is 0; Gaussian noise gives no finite epsilon without a positive delta.",
                     "Give a delta well below one over the number of records.");
}

// The distance between two unit normals that is private at the target.
double allowed_mean_shift(const PrivacyTarget& target) {
  double low = 1e-12, high = 1e6;
  for (int i = 0; i < 100; ++i) {
    const double middle = std::sqrt(low * high);
    (analytic_gaussian_delta(middle, target.epsilon).upper <= target.delta ? low : high) = middle;
  }
  return low;
}

// A central-limit guess (Bu et al. 2020); not a bound, it only says where to look first.
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
    const double clip_steps = std::max(1.0, std::floor(kLargestNoise / phase.noise_multiplier));
    phase.noise_multiplier = kLargestNoise / clip_steps;
  }
  return run;
}

[[noreturn]] void no_noise_is_enough(const PrivacyTarget& target) {
  throw UsageError(kNotSolvable,
                   fmt::format("no noise multiplier up to {} meets epsilon {} at delta {}.",
                               kLargestNoise, target.epsilon, target.delta),
                   "Ask for fewer steps, a smaller sampling rate or a larger epsilon.");
}

// `run_at(x)` makes the run whose noise falls with x.
CalibratedRun solve_noise(const std::function<GaussianRun(double)>& run_at,
                          const LargestSafe::Range& range, const PrivacyTarget& target,
                          const PldEffort& effort) {
  LargestSafe search(
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
  const auto x = search.solve(range.integer ? std::floor(low) : low, effort);
  if (!x) no_noise_is_enough(target);
  return {run_at(*x), search.epsilon()};
}

}  // namespace

CalibratedRun calibrate_noise(std::span<const GaussianPhase> relative, const PrivacyTarget& target,
                              const PldEffort& effort) {
  validate(relative);
  validate(target);
  if (total_steps(relative) == 0) return {{relative.begin(), relative.end()}, {0, 0}};
  const auto [least, most] =
      std::minmax_element(relative.begin(), relative.end(),
                          [](auto& a, auto& b) { return a.noise_multiplier < b.noise_multiplier; });
  const LargestSafe::Range range{most->noise_multiplier / kLargestNoise,
                                 least->noise_multiplier / kSmallestNoise, false};
  return solve_noise([&](double x) { return scaled(relative, 1 / x); }, range, target, effort);
}

CalibratedRun calibrate_noise_on_grid(std::span<const GaussianPhase> relative,
                                      const PrivacyTarget& target, const PldEffort& effort) {
  validate(relative);
  validate(target);
  if (total_steps(relative) == 0) return {snapped({relative.begin(), relative.end()}), {0, 0}};
  if (relative.size() == 1) {
    const LargestSafe::Range range{1, kLargestNoise / kSmallestNoise, true};
    const auto run_at = [&](double clip_steps) {
      return GaussianRun{
          {relative[0].sampling_rate, kLargestNoise / clip_steps, relative[0].steps}};
    };
    return solve_noise(run_at, range, target, effort);
  }
  const auto [least, most] =
      std::minmax_element(relative.begin(), relative.end(),
                          [](auto& a, auto& b) { return a.noise_multiplier < b.noise_multiplier; });
  const LargestSafe::Range range{most->noise_multiplier / kLargestNoise,
                                 least->noise_multiplier / kSmallestNoise, false};
  return solve_noise([&](double x) { return snapped(scaled(relative, 1 / x)); }, range, target,
                     effort);
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
  LargestSafe search(
      [&](double x, const PldEffort& with) {
        return pld_epsilon(run_at(x), target.adjacency, target.delta, with);
      },
      target.epsilon, {1, most, true});
  const double per_step = guessed_mean_shift(run_at(1), target.adjacency);
  const double guess = std::pow(allowed_mean_shift(target) / per_step, 2);
  const auto steps = search.solve(std::floor(std::clamp(guess, 1.0, most)), effort);
  if (!steps)
    throw UsageError(
        kNotSolvable,
        fmt::format("not even one step at sampling_rate {} and noise_multiplier {} "
                    "meets epsilon {} at delta {}.",
                    phase.sampling_rate, phase.noise_multiplier, target.epsilon, target.delta),
        "Ask for more noise, a smaller sampling rate or a larger epsilon.");
  if (*steps >= most)
    throw UsageError(kTooLarge,
                     fmt::format("more than {} steps would meet epsilon {} at delta {}.", kMaxSteps,
                                 target.epsilon, target.delta),
                     "Give the number of steps and solve for another quantity.");
  return {run_at(*steps), search.epsilon()};
}

}  // namespace dpvi
