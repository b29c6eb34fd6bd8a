#include <dpvi/privacy/pld.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <dpvi/privacy/composition_plan.hpp>
#include <dpvi/privacy/fourier.hpp>
#include <dpvi/privacy/hockey_stick.hpp>
#include <dpvi/privacy/invert_delta.hpp>
#include <dpvi/privacy/rdp.hpp>

namespace dpvi {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kTolerableRoundOff = 5e-8;  // in terms of epsilon

Bracket intersect(const Bracket& a, const Bracket& b) {
  return {std::max(a.lower, b.lower), std::min(a.upper, b.upper)};
}

Bracket worse(const Bracket& a, const Bracket& b) {
  return {std::max(a.lower, b.lower), std::max(a.upper, b.upper)};
}

// A run in its shortest equal form: no empty phases, equal phases joined, all phases without
// sampling joined into one step (independent Gaussians compose to one Gaussian).
struct ShortRun {
  GaussianRun phases;
  long double unsampled_precision = 0;  // sum of steps / noise_multiplier^2 over them

  long double unsampled_noise() const { return 1 / std::sqrt(unsampled_precision); }
};

ShortRun shorten(std::span<const GaussianPhase> run) {
  ShortRun result;
  for (const GaussianPhase& phase : run) {
    if (phase.steps == 0) continue;
    if (phase.sampling_rate == 1) {
      const long double noise = phase.noise_multiplier;
      result.unsampled_precision += static_cast<long double>(phase.steps) / (noise * noise);
      continue;
    }
    const auto same = std::find_if(result.phases.begin(), result.phases.end(), [&](auto& other) {
      return other.sampling_rate == phase.sampling_rate &&
             other.noise_multiplier == phase.noise_multiplier;
    });
    if (same != result.phases.end())
      same->steps += phase.steps;
    else
      result.phases.push_back(phase);
  }
  return result;
}

std::vector<Direction> directions(Adjacency adjacency, bool sampled) {
  if (adjacency == Adjacency::substitute) return {Direction::substitute};
  if (!sampled) return {Direction::remove};  // adding is its mirror image
  return {Direction::remove, Direction::add};
}

// Everything that makes a composition, phases without sampling as one last step.
GaussianRun composed_phases(const ShortRun& run) {
  GaussianRun phases = run.phases;
  if (run.unsampled_precision > 0)
    phases.push_back({1.0, static_cast<double>(run.unsampled_noise()), 1});
  return phases;
}

// No total loss is above this; finite only where adding a record to a sample is the question.
double largest_total_loss(std::span<const GaussianPhase> phases, Direction direction) {
  double sum = 0;
  for (const auto& [rate, noise, steps] : phases)
    sum +=
        static_cast<double>(steps) * DominatingPair<double>(direction, rate, noise).largest_loss();
  return sum * (1 + 1e-14);
}

// A question about one direction that a grid of any length answers with some bracket.
class Question {
 public:
  virtual ~Question() = default;
  virtual Bracket ask(std::size_t length) = 0;
  virtual double rough_length() const = 0;
  // How far apart the ends are, in terms of epsilon, and the epsilon in question.
  virtual double width(const Bracket& bracket) const = 0;
  virtual double epsilon(const Bracket& bracket) const = 0;
  // An end lowered by an error in terms of epsilon.
  virtual double below(double end, double error) const = 0;
};

class EpsilonQuestion final : public Question {
 public:
  EpsilonQuestion(std::span<const GaussianPhase> run, Direction direction, double delta)
      : plan_(CompositionPlan::for_delta(run, direction, delta)),
        delta_(delta),
        at_least_(std::max(0.0, 0.8 * plan_.epsilon_guess())) {}

  Bracket ask(std::size_t length) override {
    if (!plan_.feasible()) return {0, kInfinity};
    plan_.focus(at_least_, length);
    if (!plan_.feasible()) return {0, kInfinity};
    const ComposedLoss composed = plan_.compose();
    const Bracket found = composed.epsilon(delta_);
    if (std::isfinite(found.upper)) {
      const double tolerable = plan_.tilt() * std::max(kTolerableRoundOff, 1e-5 * found.width());
      plan_.learn(composed.round_off_at(found.upper) / delta_ / tolerable);
    }
    at_least_ =
        std::isfinite(found.upper) ? std::max(found.lower, 0.9 * found.upper) : 0.8 * at_least_;
    return found;
  }
  double rough_length() const override { return plan_.rough_length(); }
  double width(const Bracket& bracket) const override { return bracket.width(); }
  double epsilon(const Bracket& bracket) const override { return bracket.upper; }
  double below(double end, double error) const override { return end - error; }

 private:
  CompositionPlan plan_;
  double delta_;
  double at_least_;
};

class DeltaQuestion final : public Question {
 public:
  DeltaQuestion(std::span<const GaussianPhase> run, Direction direction, double epsilon)
      : plan_(CompositionPlan::for_epsilon(run, direction, epsilon)), epsilon_(epsilon) {}

  Bracket ask(std::size_t length) override {
    if (!plan_.feasible()) return {0, 1};
    plan_.focus(epsilon_, length);
    if (!plan_.feasible()) return {0, 1};
    const ComposedLoss composed = plan_.compose();
    const Bracket found = composed.delta(epsilon_);
    const double tolerable = plan_.tilt() * kTolerableRoundOff * found.upper + 1e-5 * found.width();
    plan_.learn(composed.round_off_at(epsilon_) / tolerable);
    return found;
  }
  double rough_length() const override { return plan_.rough_length(); }
  double width(const Bracket& bracket) const override {
    if (bracket.upper <= bracket.lower) return 0;
    return std::log(bracket.upper / bracket.lower) / plan_.tilt();
  }
  double epsilon(const Bracket&) const override { return epsilon_; }
  double below(double end, double error) const override {
    return end * std::exp(-plan_.tilt() * error);
  }

 private:
  CompositionPlan plan_;
  double epsilon_;
};

// Refines until the upper end is as close as wanted, or the effort ends. Errors fall with the
// square of the length.
class Refinement {
 public:
  Refinement(Question& question, const PldEffort& effort, std::int64_t steps)
      : question_(question),
        effort_(effort),
        reach_(steps <= effort.few_steps ? effort.few_steps_length : effort.usual_length) {}

  // Does not refine an answer that is known to be at most `decided`.
  Bracket run(double decided) {
    decided_ = decided;
    const auto first =
        std::clamp(question_.rough_length(), 4096.0, static_cast<double>(effort_.largest_length));
    for (std::size_t length = good_fourier_length(static_cast<std::size_t>(first)); length > 0;
         length = next_length()) {
      refine(length);
      if (best_.upper <= decided_) break;
    }
    return best_;
  }

 private:
  void refine(std::size_t length) {
    const Bracket found = question_.ask(length);
    const double ratio =
        length_ == 0 ? 0 : static_cast<double>(length) / static_cast<double>(length_);
    const double moved = std::abs(question_.width({found.upper, latest_upper_}));
    error_ = length_ > 0 && std::isfinite(moved) ? moved / (ratio * ratio - 1)
                                                 : question_.width(found) / 3;
    latest_upper_ = found.upper;
    last_width_ = length_ == 0 ? kInfinity : question_.width(best_);
    length_ = length;
    best_ = intersect(best_, found);
  }

  // 0 where the bracket is good enough or the effort ends.
  std::size_t next_length() const {
    const auto now = static_cast<double>(length_);
    const double enough =
        std::max(effort_.relative_width * question_.epsilon(best_), effort_.absolute_width);
    const double too_wide = std::isfinite(enough) ? question_.width(best_) / enough : kInfinity;
    const double needed = too_wide > 1 ? 1.1 * now * std::sqrt(too_wide) : 0;
    const double wanted = 1.1 * now * std::sqrt(error_ / effort_.wanted_error);
    const auto usual = static_cast<double>(effort_.usual_length);
    double next = wanted <= static_cast<double>(reach_) ? wanted : std::max(usual, needed);
    // Where the answer seems to lie below what is decided, that is all there is to show.
    const double apart = question_.width({question_.below(best_.upper, error_), decided_});
    if (apart > 0) next = std::min(next, 1.2 * now * std::sqrt(error_ / apart));
    next = std::min({next, 32 * now, static_cast<double>(effort_.largest_length)});
    const bool helped = !std::isfinite(last_width_) || question_.width(best_) < 0.7 * last_width_;
    if (!helped) return 0;  // not worth more work
    return next > 1.4 * now ? good_fourier_length(static_cast<std::size_t>(next)) : 0;
  }

  Question& question_;
  const PldEffort& effort_;
  std::size_t reach_;
  std::size_t length_ = 0;
  double latest_upper_ = kInfinity;
  double last_width_ = kInfinity;
  double decided_ = 0;
  double error_ = kInfinity;  // estimated by extrapolation
  Bracket best_{0, kInfinity};
};

bool too_wide(const Bracket& found, double epsilon, const PldEffort& effort) {
  const double enough = std::max(effort.relative_width * epsilon, effort.absolute_width);
  return !std::isfinite(enough) || found.width() > enough;
}

}  // namespace

Bracket pld_epsilon(std::span<const GaussianPhase> run, Adjacency adjacency, double delta,
                    const PldEffort& effort) {
  validate(run);
  validate_delta(delta);
  if (total_steps(run) == 0) return {0, 0};
  if (delta == 0) return {kInfinity, kInfinity};
  const ShortRun brief = shorten(run);
  const GaussianRun phases = composed_phases(brief);
  Bracket worst{0, 0};
  for (const Direction direction : directions(adjacency, !brief.phases.empty())) {
    const double largest = largest_total_loss(phases, direction);
    if (largest <= worst.lower) continue;
    Bracket found;
    if (total_steps(phases) == 1) {
      const GaussianPhase& step = phases[0];
      const long double noise =
          brief.phases.empty() ? brief.unsampled_noise() : step.noise_multiplier;
      const DominatingPair<long double> pair(direction, step.sampling_rate, noise);
      found = invert_delta([&](double epsilon) { return hockey_stick(pair, epsilon); }, delta);
    } else {
      EpsilonQuestion question(phases, direction, delta);
      found = Refinement(question, effort, total_steps(phases)).run(worst.lower);
      found.upper = std::min(found.upper, largest);
      if (too_wide(found, found.upper, effort))
        found.upper = std::min(found.upper, rdp_epsilon(run, adjacency, delta).epsilon);
    }
    worst = worse(worst, found);
  }
  return worst;
}

Bracket pld_delta(std::span<const GaussianPhase> run, Adjacency adjacency, double epsilon,
                  const PldEffort& effort) {
  validate(run);
  validate_epsilon(epsilon);
  if (total_steps(run) == 0) return {0, 0};
  const ShortRun brief = shorten(run);
  const GaussianRun phases = composed_phases(brief);
  Bracket worst{0, 0};
  for (const Direction direction : directions(adjacency, !brief.phases.empty())) {
    Bracket found;
    if (total_steps(phases) == 1) {
      const GaussianPhase& step = phases[0];
      const long double noise =
          brief.phases.empty() ? brief.unsampled_noise() : step.noise_multiplier;
      found = hockey_stick({direction, step.sampling_rate, noise}, epsilon);
    } else if (epsilon < largest_total_loss(phases, direction)) {
      DeltaQuestion question(phases, direction, epsilon);
      found = Refinement(question, effort, total_steps(phases)).run(worst.lower);
      if (found.upper > 2 * found.lower)
        found.upper = std::min(found.upper, rdp_delta(run, adjacency, epsilon).delta);
    }
    worst = worse(worst, found);
  }
  return worst;
}

}  // namespace dpvi
