#include <dpvi/audit/transcript_scores.hpp>

#include <algorithm>
#include <cmath>

namespace dpvi {
namespace {

// The claimed phase of each step; the last phase for steps beyond the run.
std::vector<GaussianPhase> phase_of_steps(const GaussianRun& run, std::size_t steps) {
  std::vector<GaussianPhase> phases;
  for (const GaussianPhase& phase : run) {
    for (std::int64_t i = 0; i < phase.steps && phases.size() < steps; ++i) phases.push_back(phase);
  }
  while (phases.size() < steps) phases.push_back(run.back());
  return phases;
}

// log of (1 - q) + q exp(exponent), without overflow.
double log_mixture(double q, double exponent) {
  if (q == 1.0) return exponent;
  return exponent > 0.0 ? exponent + std::log(q + (1.0 - q) * std::exp(-exponent))
                        : std::log1p(q * std::expm1(exponent));
}

struct Attacker {
  std::vector<GaussianPhase> phases;
  Adjacency adjacency;
  const Transcript& seen;

  // Exponent of the density ratio of N(shift) and N(0) at the release of a step.
  double exponent(std::size_t step, double shift) const {
    const double s = phases[step].noise_multiplier;
    return (2.0 * shift * seen[step].canary - 1.0) / (2.0 * s * s);
  }

  double ratio(std::size_t step) const {
    const double q = phases[step].sampling_rate;
    const double up = log_mixture(q, exponent(step, 1.0));
    return adjacency == Adjacency::substitute ? up - log_mixture(q, exponent(step, -1.0)) : up;
  }

  // The ratio if two steps had the same batch.
  double ratio_of_shared(std::size_t a, std::size_t b) const {
    const double q = phases[a].sampling_rate;
    const double up = log_mixture(q, exponent(a, 1.0) + exponent(b, 1.0));
    if (adjacency == Adjacency::add_remove) return up;
    return up - log_mixture(q, exponent(a, -1.0) + exponent(b, -1.0));
  }

  double smallest_difference() const {
    constexpr std::size_t kMostSteps = 6;
    const std::size_t steps = std::min(kMostSteps, seen.size());
    double smallest = INFINITY;
    for (std::size_t i = 0; i < steps; ++i) {
      for (std::size_t j = i + 1; j < steps; ++j) {
        smallest = std::min(smallest, std::abs(seen[i].canary - seen[j].canary));
      }
    }
    return smallest;
  }
};

}  // namespace

std::vector<double> transcript_scores(const GaussianRun& run, Adjacency adjacency,
                                      const Transcript& transcript) {
  const std::size_t steps = transcript.size();
  const Attacker attacker{phase_of_steps(run, steps), adjacency, transcript};
  std::vector<double> scores(kScores, 0.0);
  double largest = 0.0;
  for (std::size_t step = 0; step < steps; ++step) {
    scores[0] += attacker.ratio(step);
    largest = std::max(largest, std::abs(transcript[step].canary));
    scores[6] += transcript[step].last;
  }
  if (steps > 1) {
    for (std::size_t step = 0; step + 1 < steps; step += 2) {
      scores[1] += attacker.ratio_of_shared(step, step + 1);
    }
    for (std::size_t step = 0; step < steps / 2; ++step) {
      scores[2] += attacker.ratio_of_shared(step, step + steps / 2);
    }
    scores[3] = attacker.smallest_difference();
  }
  scores[4] = largest;
  scores[5] = transcript.front().first;
  return scores;
}

}  // namespace dpvi
