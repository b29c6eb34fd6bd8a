#include <dpvi/privacy/pld.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <dpvi/privacy/bracket_problem.hpp>
#include <dpvi/privacy/hockey_stick.hpp>
#include <dpvi/privacy/invert_delta.hpp>
#include <dpvi/privacy/rdp.hpp>

namespace dpvi {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// A run in its shortest equivalent form: no empty phases, equal phases joined, and all phases
// without sampling joined into one step (independent Gaussians compose to one Gaussian).
struct ReducedRun {
  GaussianRun phases;
  long double unsampled_precision = 0;  // unsampled phases: sum of steps / noise_multiplier^2

  // The noise multiplier of a run that is one step, in full precision.
  long double only_noise() const {
    return unsampled_precision > 0 ? 1 / std::sqrt(unsampled_precision)
                                   : static_cast<long double>(phases[0].noise_multiplier);
  }
};

ReducedRun shorten(std::span<const GaussianPhase> run) {
  ReducedRun result;
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
    if (same != result.phases.end()) {
      same->steps += phase.steps;
    } else {
      result.phases.push_back(phase);
    }
  }
  if (result.unsampled_precision > 0) {
    const long double noise = 1 / std::sqrt(result.unsampled_precision);
    result.phases.push_back({1.0, static_cast<double>(noise), 1});
  }
  return result;
}

std::vector<Direction> directions(std::span<const GaussianPhase> phases, Adjacency adjacency) {
  if (adjacency == Adjacency::substitute) return {Direction::substitute};
  // Without sampling, add is the mirror image of remove.
  if (phases.size() == 1 && phases[0].sampling_rate == 1) return {Direction::remove};
  return {Direction::remove, Direction::add};
}

// Upper bound on the total loss. It is finite only for the add direction with sampling.
double largest_total_loss(std::span<const GaussianPhase> phases, Direction direction) {
  double sum = 0;
  for (const auto& [rate, noise, steps] : phases)
    sum +=
        static_cast<double>(steps) * DominatingPair<double>(direction, rate, noise).largest_loss();
  return sum * (1 + 1e-14);
}

// Probability that a record is sampled at all. Errs upwards.
//
// Guarantee: delta is at most the chance that a record is sampled at all, whatever epsilon is. Runs
// that never sample the record are the same with and without it.
double chance_to_be_sampled(std::span<const GaussianPhase> phases) {
  double sum = 0;
  for (const auto& [rate, noise, steps] : phases) sum += rate * static_cast<double>(steps);
  return std::min(1.0, sum * (1 + 1e-12));
}

// The worst bracket over all directions. `answer(direction, worst lower end so far)` gives one of
// them.
template <class Answer>
Bracket worst_direction(const ReducedRun& run, Adjacency adjacency, const Answer& answer) {
  Bracket worst{0, 0};
  for (const Direction direction : directions(run.phases, adjacency)) {
    const Bracket found = answer(direction, worst.lower);
    worst = {std::max(worst.lower, found.lower), std::max(worst.upper, found.upper)};
  }
  return worst;
}

// The pair of a run that is one step. Without sampling, N(1) against N(-1) is equivalent to N(1)
// against N(0) with half the noise, and that form keeps its precision at any epsilon.
DominatingPair<long double> only_pair(const ReducedRun& brief, Direction direction) {
  const double rate = brief.phases[0].sampling_rate;
  if (direction == Direction::substitute && rate == 1)
    return {Direction::remove, 1, brief.only_noise() / 2};
  return {direction, rate, brief.only_noise()};
}

}  // namespace

Bracket pld_epsilon(std::span<const GaussianPhase> run, Adjacency adjacency, double delta,
                    const PldEffort& effort) {
  validate(run);
  validate_delta(delta);
  if (total_steps(run) == 0) return {0, 0};
  if (delta == 0) return {kInfinity, kInfinity};
  if (chance_to_be_sampled(run) <= delta) return {0, 0};
  const ReducedRun brief = shorten(run);
  const std::int64_t steps = total_steps(brief.phases);
  return worst_direction(brief, adjacency, [&](Direction direction, double decided) -> Bracket {
    if (steps == 1) {
      const DominatingPair<long double> pair = only_pair(brief, direction);
      return invert_delta([&](double epsilon) { return hockey_stick(pair, epsilon); }, delta);
    }
    const double largest = largest_total_loss(brief.phases, direction);
    if (largest <= decided) return {0, largest};
    EpsilonQuestion question(brief.phases, direction, delta);
    Refinement refinement(question, effort, steps);
    Bracket found = refinement.run(decided);
    found.upper = std::min(found.upper, largest);
    if (found.upper > decided && refinement.too_wide(found))
      found.upper = std::min(found.upper, rdp_epsilon(run, adjacency, delta).epsilon);
    return found;
  });
}

Bracket pld_delta(std::span<const GaussianPhase> run, Adjacency adjacency, double epsilon,
                  const PldEffort& effort) {
  validate(run);
  validate_epsilon(epsilon);
  if (total_steps(run) == 0) return {0, 0};
  const ReducedRun brief = shorten(run);
  const std::int64_t steps = total_steps(brief.phases);
  const double most = std::max(chance_to_be_sampled(run), std::numeric_limits<double>::min());
  return worst_direction(brief, adjacency, [&](Direction direction, double decided) -> Bracket {
    if (steps == 1) return hockey_stick(only_pair(brief, direction), epsilon);
    if (epsilon >= largest_total_loss(brief.phases, direction)) return {0, 0};
    DeltaQuestion question(brief.phases, direction, epsilon);
    Refinement refinement(question, effort, steps);
    Bracket found = refinement.run(decided);
    if (found.upper > decided && refinement.too_wide(found))
      found.upper = std::min(found.upper, rdp_delta(run, adjacency, epsilon).delta);
    // Gaussian losses are unbounded: a delta too small for a double is still not zero.
    found.upper = std::clamp(found.upper, std::numeric_limits<double>::min(), most);
    return found;
  });
}

}  // namespace dpvi
