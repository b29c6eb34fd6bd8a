#include <dpvi/privacy/bracket_problem.hpp>

#include <algorithm>
#include <cmath>

#include <dpvi/privacy/analytic_gaussian.hpp>
#include <dpvi/privacy/fourier.hpp>
#include <dpvi/privacy/hockey_stick.hpp>

namespace dpvi {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Round-off may cost this much, in terms of epsilon, or this share of the bracket. The share is
// larger while the grid is too coarse for a lower end.
constexpr double kTolerableRoundOff = 5e-8;
constexpr double kTolerableShare = 0.02;
constexpr double kTolerableCoarseShare = 0.3;

// Approximate lower limit of epsilon: as if the total loss were normal, or as if one step alone
// decided. If losses are rare and large, the plan's own guess is far above it.
double least_guess(std::span<const GaussianPhase> run, Direction direction, double delta,
                   double deviation) {
  double guess = deviation > 0 ? analytic_gaussian_epsilon(deviation, delta).lower : 0;
  constexpr std::size_t kEnoughPhases = 8;
  for (const auto& [rate, noise, steps] : run.first(std::min(run.size(), kEnoughPhases))) {
    const double share = delta / static_cast<double>(steps);
    guess = std::max(guess, one_step_epsilon(direction, rate, noise, share).lower);
  }
  return guess;
}

}  // namespace

double RoundOffEstimate::share_at(std::size_t next_length) const {
  const double ratio = length / static_cast<double>(next_length);
  const double share = coarse ? kTolerableCoarseShare : kTolerableShare;
  return round_off / std::max(kTolerableRoundOff, share * width * ratio * ratio);
}

EpsilonQuestion::EpsilonQuestion(std::span<const GaussianPhase> run, Direction direction,
                                 double delta)
    : plan_(CompositionLayout::for_delta(run, direction, delta)), delta_(delta) {
  if (!plan_.feasible()) return;
  const double guess = std::max(0.0, plan_.epsilon_guess());
  const double margin = std::min(0.2 * guess, 3 * plan_.guess_deviation());
  const double least = least_guess(run, direction, delta, plan_.deviation());
  believed_ = {std::min(guess - margin, 0.9 * least), guess + margin};
}

Bracket EpsilonQuestion::solve_on_grid(std::size_t length) {
  if (!plan_.feasible()) return {0, kInfinity};
  plan_.learn(memory_.share_at(length));
  plan_.focus(believed_, length);
  if (!plan_.feasible()) return {0, kInfinity};
  const ComposedLoss composed = plan_.compose();
  const Bracket found = composed.epsilon(delta_);
  if (std::isfinite(found.upper)) {
    memory_ = {static_cast<double>(length), found.width(),
               composed.round_off_at(found.upper) / (delta_ * plan_.tilt()), found.lower == 0};
    believed_ = {std::max(found.lower, 0.9 * found.upper),
                 1.001 * found.upper + 0.1 * found.width()};
  } else {
    believed_.lower *= 0.8;
    believed_.upper = std::max(1.05 * plan_.largest_guess(), 1.5 * believed_.upper);
  }
  return found;
}

DeltaQuestion::DeltaQuestion(std::span<const GaussianPhase> run, Direction direction,
                             double epsilon)
    : plan_(CompositionLayout::for_epsilon(run, direction, epsilon)), epsilon_(epsilon) {}

Bracket DeltaQuestion::solve_on_grid(std::size_t length) {
  if (!plan_.feasible()) return {0, 1};
  plan_.learn(memory_.share_at(length));
  plan_.focus({epsilon_, epsilon_}, length);
  if (!plan_.feasible()) return {0, 1};
  const ComposedLoss composed = plan_.compose();
  const Bracket found = composed.delta(epsilon_);
  memory_ = {static_cast<double>(length), distance(found.lower, found.upper),
             composed.round_off_at(epsilon_) / (found.upper * plan_.tilt()), found.lower == 0};
  return found;
}

// Near the answer, delta decreases like e^(-tilt * epsilon).
double DeltaQuestion::distance(double from, double to) const {
  return from == to ? 0 : std::log(to / from) / plan_.tilt();
}

double DeltaQuestion::lowered(double value, double error) const {
  return value * std::exp(-plan_.tilt() * error);
}

Refinement::Refinement(BracketProblem& question, const PldEffort& effort, std::int64_t steps)
    : question_(question),
      effort_(effort),
      few_steps_(steps <= effort.few_steps),
      reach_(few_steps_ ? effort.few_steps_length : effort.usual_length) {}

Bracket Refinement::run(double decided) {
  decided_ = decided;
  const double first =
      std::clamp(question_.rough_length(), 4096.0, static_cast<double>(effort_.largest_length));
  for (auto length = good_fourier_length(static_cast<std::size_t>(first)); length > 0;
       length = next_length()) {
    refine(length);
    if (best_.upper <= decided_) break;
  }
  return best_;
}

// Errors decrease with the square of the length.
void Refinement::refine(std::size_t length) {
  const Bracket found = question_.solve_on_grid(length);
  const double moved = std::abs(question_.distance(found.upper, latest_upper_));
  if (length_ > 0 && std::isfinite(moved)) {
    const double ratio = static_cast<double>(length) / static_cast<double>(length_);
    error_ = moved / (ratio * ratio - 1);
  } else {
    error_ = question_.distance(found.lower, found.upper) / 3;
  }
  last_width_ = length_ == 0 ? kInfinity : question_.distance(best_.lower, best_.upper);
  latest_upper_ = found.upper;
  length_ = length;
  best_ = {std::max(best_.lower, found.lower), std::min(best_.upper, found.upper)};
}

double Refinement::excess_width(const Bracket& answer) const {
  const double enough =
      std::max(effort_.relative_width * question_.epsilon(answer), effort_.absolute_width);
  return std::isfinite(enough) ? question_.distance(answer.lower, answer.upper) / enough
                               : kInfinity;
}

// Returns 0 if the bracket is good enough or the effort is used up.
std::size_t Refinement::next_length() const {
  const auto now = static_cast<double>(length_);
  const double too_wide = excess_width(best_);
  const double width = question_.distance(best_.lower, best_.upper);
  const bool hopeless = std::isfinite(last_width_) && !(width < 0.7 * last_width_);
  const double needed = too_wide > 1 ? now * std::max(3.0, 1.1 * std::sqrt(too_wide)) : 0;
  const double relaxed =
      std::min(effort_.relative_error * question_.epsilon(best_), effort_.absolute_error);
  const double goal = few_steps_ ? effort_.wanted_error : std::max(effort_.wanted_error, relaxed);
  const double wanted = 1.1 * now * std::sqrt(error_ / goal);
  const auto usual = static_cast<double>(effort_.usual_length);
  double next = std::max(needed, wanted <= static_cast<double>(reach_) ? wanted : usual);
  // If the answer seems to lie below `decided`, showing that is enough.
  const double apart = question_.distance(question_.lowered(best_.upper, error_), decided_);
  if (apart > 0) next = std::min(next, now * std::max(1.5, 1.2 * std::sqrt(error_ / apart)));
  next = std::min({next, 32 * now, static_cast<double>(effort_.largest_length)});
  if (hopeless || !(next > 1.4 * now)) return 0;
  return good_fourier_length(static_cast<std::size_t>(next));
}

}  // namespace dpvi
