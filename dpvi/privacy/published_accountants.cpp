#include <dpvi/privacy/published_accountants.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <dpvi/base/error.hpp>

namespace dpvi {
namespace {

constexpr int kLargestMoment = 99;

// ln E[e^(lambda L)] of one step for lambda = order - 1, by the binomial theorem.
double log_moment(const GaussianPhase& phase, int order) {
  const double q = phase.sampling_rate;
  const double variance = phase.noise_multiplier * phase.noise_multiplier;
  std::vector<double> terms;
  for (int k = q == 1 ? order : 0; k <= order; ++k) {
    const double log_choose =
        std::lgamma(order + 1.0) - std::lgamma(k + 1.0) - std::lgamma(order - k + 1.0);
    const double log_missed = k == order ? 0 : (order - k) * std::log1p(-q);
    terms.push_back(log_choose + log_missed + k * std::log(q) + k * (k - 1.0) / (2 * variance));
  }
  const double largest = *std::max_element(terms.begin(), terms.end());
  double sum = 0;
  for (const double term : terms) sum += std::exp(term - largest);
  return largest + std::log(sum);
}

}  // namespace

MomentsEpsilon moments_epsilon(std::span<const GaussianPhase> run, double delta) {
  validate(run);
  validate_delta(delta);
  if (total_steps(run) == 0) return {};
  MomentsEpsilon best{std::numeric_limits<double>::infinity(), 1};
  for (int lambda = 1; lambda <= kLargestMoment; ++lambda) {
    double sum = -std::log(delta);
    for (const GaussianPhase& phase : run)
      if (phase.steps > 0) sum += static_cast<double>(phase.steps) * log_moment(phase, lambda + 1);
    if (sum / lambda < best.epsilon) best = {sum / lambda, lambda};
  }
  return best;
}

double advanced_composition_epsilon(const GaussianPhase& phase, double delta, double delta_prime) {
  validate(std::span(&phase, 1));
  validate_delta(delta);
  if (phase.steps == 0) return 0;
  if (!(delta_prime > 0 && delta_prime < delta))
    throw UsageError(kContradiction,
                     "delta is " + std::to_string(delta) + " and delta_prime " +
                         std::to_string(delta_prime) +
                         "; delta_prime must lie between 0 and delta.",
                     "Give a larger delta.");
  const auto steps = static_cast<double>(phase.steps);
  const double step_delta = (delta - delta_prime) / (steps * phase.sampling_rate);
  if (!(step_delta < 1.25)) return 0;
  const double plain = std::sqrt(2 * std::log(1.25 / step_delta)) / phase.noise_multiplier;
  const double amplified = std::log1p(phase.sampling_rate * std::expm1(plain));
  return std::sqrt(2 * steps * std::log(1.25 / delta_prime)) * amplified +
         steps * amplified * std::expm1(amplified);
}

double published_advanced_composition_epsilon(const GaussianPhase& phase, double delta) {
  constexpr double kDeltaPrime = 4e-5;
  GaussianPhase doubled = phase;
  doubled.noise_multiplier *= 2;
  return 2 * advanced_composition_epsilon(doubled, delta / 2, kDeltaPrime);
}

}  // namespace dpvi
