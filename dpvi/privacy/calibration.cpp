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

// Wherever the search looks, it asks for an epsilon that falls as the searched quantity x grows.
// Nothing here is trusted for more than speed: what is returned has been asked for.
struct Answer {
  double x = 0.0;
  CalibratedRun found;
};
using AskEpsilon = std::function<CalibratedRun(double x, const PldEffort& effort)>;

// Enough to find where to look.
PldEffort sketch_of(const PldEffort& effort) {
  PldEffort sketch = effort;
  sketch.wanted_error = std::max(effort.wanted_error, 1e-3);
  sketch.usual_length = std::min(effort.usual_length, std::size_t{1} << 13);
  sketch.few_steps_length = sketch.usual_length;
  sketch.largest_length = std::min(effort.largest_length, std::size_t{1} << 16);
  return sketch;
}

struct Search {
  double least;       // of x
  double largest;     // of x
  double epsilon;     // the target
  double tolerance;   // stop once the answer's epsilon is at least (1 - tolerance) * target
  double resolution;  // stop once the root is known this well
};

// Secant steps on (x, ln epsilon) inside a bracket, bisection where they leave it. Empty if even
// the largest x misses the target.
class RootFinder {
 public:
  RootFinder(const Search& search, const AskEpsilon& ask, const PldEffort& effort)
      : search_(search), ask_(ask), effort_(effort), low_(search.least), high_(search.largest) {}

  std::optional<Answer> find(double start, double slope) {
    double x = std::clamp(start, search_.least, search_.largest);
    double reach = 0.5;
    constexpr int kMostQuestions = 100;
    for (int i = 0; i < kMostQuestions; ++i) {
      ask(x);
      if (done()) break;
      if (previous_ && previous_->first != x) slope = slope_from_previous(slope);
      previous_ = {x, last_log_};
      double next = x + (std::log(search_.epsilon) - last_log_) / slope;
      if (!std::isfinite(next)) next = met_ ? x - reach : x + reach;
      // Aim a little to the safe side, so that the last question is answered with yes.
      next += 0.25 * search_.tolerance / std::abs(slope);
      next = std::clamp(next, x - 4.0 * reach, x + 4.0 * reach);
      reach *= 2.0;
      if (next <= low_ || next >= high_) next = edge_or_middle(next);
      if (next == x) break;
      x = next;
    }
    return answer_;
  }

  double slope() const { return slope_; }

 private:
  void ask(double x) {
    CalibratedRun found = ask_(x, effort_);
    met_ = found.epsilon.upper <= search_.epsilon;
    last_log_ = std::log(std::max(found.epsilon.upper, 1e-300));
    if (met_) {
      high_ = x;
      asked_high_ = true;
      answer_ = Answer{x, std::move(found)};
    } else {
      low_ = x;
      asked_low_ = true;
    }
  }

  bool done() const {
    if (!answer_) return low_ >= search_.largest;
    if (answer_->x <= search_.least) return true;
    // Closer than a share of its own width, an answer is not worth another question.
    const Bracket& reached = answer_->found.epsilon;
    const double slack = std::max(search_.tolerance * search_.epsilon, 0.1 * reached.width());
    return reached.upper >= search_.epsilon - slack ||
           (asked_low_ && high_ - low_ <= search_.resolution);
  }

  double slope_from_previous(double old) {
    const double slope = (last_log_ - previous_->second) / (current_x() - previous_->first);
    slope_ = std::isfinite(slope) && slope < 0.0 ? slope : old;
    return slope_;
  }
  double current_x() const { return met_ ? high_ : low_; }

  double edge_or_middle(double wanted) const {
    if (asked_low_ && asked_high_) return 0.5 * (low_ + high_);
    return std::clamp(wanted, search_.least, search_.largest);
  }

  const Search search_;
  const AskEpsilon& ask_;
  const PldEffort effort_;
  double low_;
  double high_;
  bool asked_low_ = false;
  bool asked_high_ = false;
  bool met_ = false;
  double last_log_ = 0.0;
  double slope_ = -1.0;
  std::optional<std::pair<double, double>> previous_;
  std::optional<Answer> answer_;
};

// First coarsely, then finely from where the coarse search ended.
std::optional<Answer> find_root(const Search& search, const AskEpsilon& ask,
                                const PldEffort& effort, double start) {
  Search coarse = search;
  coarse.tolerance = std::max(search.tolerance, 1e-3);
  RootFinder sketch(coarse, ask, sketch_of(effort));
  const std::optional<Answer> near = sketch.find(start, -1.0);
  RootFinder fine(search, ask, effort);
  return fine.find(near ? near->x : search.largest, sketch.slope());
}

// The total mean shift of a Gaussian that a long run resembles (central limit theorem). Not a
// bound: only a place to start from.
double resembled_shift(std::span<const GaussianPhase> run, Adjacency adjacency) {
  double squares = 0.0;
  for (const auto& [rate, noise, steps] : run) {
    const double unsampled = 1.0 / (noise * noise);
    const double sampled = rate * rate * std::expm1(std::min(unsampled, 500.0));
    squares += static_cast<double>(steps) * std::min(sampled, unsampled);
  }
  return (adjacency == Adjacency::substitute ? 2.0 : 1.0) * std::sqrt(squares);
}

// The mean shift at which a Gaussian mechanism meets the target.
double target_shift(const PrivacyTarget& target) {
  double low = -40.0, high = 20.0;  // in logarithms
  constexpr int kHalvings = 40;
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = 0.5 * (low + high);
    const double delta = analytic_gaussian_delta(std::exp(middle), target.epsilon).upper;
    (delta <= target.delta ? low : high) = middle;
  }
  return std::exp(low);
}

GaussianRun scaled(std::span<const GaussianPhase> relative, double factor) {
  GaussianRun run(relative.begin(), relative.end());
  for (GaussianPhase& phase : run) phase.noise_multiplier *= factor;
  return run;
}

// Largest D with grid / D >= noise multiplier.
GaussianRun onto_grid(GaussianRun run) {
  constexpr double kGrid = static_cast<double>(kNoiseGridSteps);
  for (GaussianPhase& phase : run) {
    double bound = std::floor(kGrid / phase.noise_multiplier);
    bound = std::clamp(bound, 1.0, kLargestGridBound);
    phase.noise_multiplier = kGrid / bound;
  }
  return run;
}

double start_factor(std::span<const GaussianPhase> relative, const PrivacyTarget& target,
                    double least, double largest) {
  const double wanted = target_shift(target);
  double low = least, high = largest;
  constexpr int kHalvings = 40;
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = 0.5 * (low + high);
    const double shift = resembled_shift(scaled(relative, std::exp(middle)), target.adjacency);
    (shift <= wanted ? high : low) = middle;
  }
  return high;
}

struct NoiseRange {
  double least;
  double largest;
};

void validate_target(const PrivacyTarget& target) {
  validate_epsilon(target.epsilon);
  validate_delta(target.delta);
}

[[noreturn]] void refuse_target(const PrivacyTarget& target, const char* what, const char* hint) {
  throw UsageError(
      kNotSolvable,
      fmt::format("{} meets epsilon {} at delta {}.", what, target.epsilon, target.delta), hint);
}

CalibratedRun calibrate(std::span<const GaussianPhase> relative, const PrivacyTarget& target,
                        const PldEffort& effort, const NoiseRange& range, bool grid) {
  validate(relative);
  validate_target(target);
  double smallest = std::numeric_limits<double>::infinity(), largest = 0.0;
  for (const GaussianPhase& phase : relative) {
    smallest = std::min(smallest, phase.noise_multiplier);
    largest = std::max(largest, phase.noise_multiplier);
  }
  const auto run_at = [&](double x) {
    GaussianRun run = scaled(relative, std::exp(x));
    return grid ? onto_grid(std::move(run)) : run;
  };
  const AskEpsilon ask = [&](double x, const PldEffort& how) -> CalibratedRun {
    GaussianRun run = run_at(x);
    const Bracket epsilon = pld_epsilon(run, target.adjacency, target.delta, how);
    return {std::move(run), epsilon};
  };
  const Search search{.least = std::log(range.least / smallest),
                      .largest = std::log(range.largest / largest),
                      .epsilon = target.epsilon,
                      .tolerance = 2e-6,
                      .resolution = 1e-8};
  if (total_steps(relative) == 0) return ask(search.least, effort);
  std::optional<Answer> answer;
  if (search.least <= search.largest && target.delta > 0.0) {
    const double start = start_factor(relative, target, search.least, search.largest);
    answer = find_root(search, ask, effort, start);
  }
  if (!answer) {
    refuse_target(target, "no noise multiplier",
                  "Allow a larger epsilon or delta, fewer steps or a smaller sampling rate.");
  }
  return std::move(answer->found);
}

}  // namespace

CalibratedRun calibrate_noise(std::span<const GaussianPhase> relative, const PrivacyTarget& target,
                              const PldEffort& effort) {
  return calibrate(relative, target, effort, {1e-3, 1e9}, false);
}

CalibratedRun calibrate_noise_on_grid(std::span<const GaussianPhase> relative,
                                      const PrivacyTarget& target, const PldEffort& effort) {
  constexpr double kGrid = static_cast<double>(kNoiseGridSteps);
  return calibrate(relative, target, effort, {kGrid / kLargestGridBound, kGrid}, true);
}

CalibratedRun calibrate_steps(GaussianPhase phase, const PrivacyTarget& target,
                              const PldEffort& effort) {
  phase.steps = 1;
  validate({&phase, 1});
  validate_target(target);
  const auto ask = [&](std::int64_t steps, const PldEffort& how) -> CalibratedRun {
    GaussianRun run{{phase.sampling_rate, phase.noise_multiplier, steps}};
    const Bracket epsilon = pld_epsilon(run, target.adjacency, target.delta, how);
    return {std::move(run), epsilon};
  };
  const auto meets = [&](const CalibratedRun& run) { return run.epsilon.upper <= target.epsilon; };
  CalibratedRun best = ask(1, effort);
  if (!meets(best)) {
    refuse_target(target, "not even one step", "Use more noise or a smaller sampling rate.");
  }
  // x is minus the logarithm of the steps, so that epsilon falls as x grows.
  const AskEpsilon ask_logarithm = [&](double x, const PldEffort& how) {
    return ask(std::max<std::int64_t>(1, std::llround(std::exp(-x))), how);
  };
  const Search search{.least = -std::log(static_cast<double>(kMaxSteps)),
                      .largest = 0.0,
                      .epsilon = target.epsilon,
                      .tolerance = 1e-4,
                      .resolution = 1e-4};
  const double per_step = resembled_shift({&phase, 1}, target.adjacency);
  const double start = -2.0 * std::log(std::max(1.0, target_shift(target) / per_step));
  if (const auto near = find_root(search, ask_logarithm, effort, start)) best = near->found;
  if (best.run[0].steps >= kMaxSteps) {
    throw UsageError(kTooLarge,
                     fmt::format("more than {} steps meet epsilon {}.", kMaxSteps, target.epsilon),
                     "Ask for less noise or a smaller epsilon.");
  }

  // The very last step that fits, from a point just below it.
  std::int64_t stride = std::max<std::int64_t>(1, best.run[0].steps / 16384);
  std::int64_t too_many = kMaxSteps;
  while (best.run[0].steps + 1 < too_many) {
    const std::int64_t steps = std::min(best.run[0].steps + stride, too_many - 1);
    CalibratedRun next = ask(steps, effort);
    if (meets(next)) {
      best = std::move(next);
      if (too_many == kMaxSteps) stride *= 2;
    } else {
      too_many = steps;
    }
    if (too_many != kMaxSteps)
      stride = std::max<std::int64_t>(1, (too_many - best.run[0].steps) / 2);
  }
  return best;
}

}  // namespace dpvi
