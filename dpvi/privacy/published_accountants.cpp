#include <dpvi/privacy/published_accountants.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace dpvi {
namespace {

double log_add(double a, double b) {
  const double larger = std::max(a, b);
  if (std::isinf(larger)) return larger;
  return larger + std::log1p(std::exp(std::min(a, b) - larger));
}

double log_binomial(int n, int k) {
  return std::lgamma(n + 1.0) - std::lgamma(k + 1.0) - std::lgamma(n - k + 1.0);
}

// ln E[(P/Q)^order] of one step: ln of the sum over k of
// C(order, k) (1-q)^(order-k) q^k exp((k^2 - k) / (2 s^2)).
double log_moment(const GaussianPhase& phase, int order) {
  const double log_rate = std::log(phase.sampling_rate);
  const double log_rest = std::log1p(-phase.sampling_rate);  // -inf without sampling
  const double scale = 2.0 * phase.noise_multiplier * phase.noise_multiplier;
  double sum = -std::numeric_limits<double>::infinity();
  for (int k = 0; k <= order; ++k) {
    const double outside = k == order ? 0.0 : (order - k) * log_rest;
    const double exponent = static_cast<double>(k) * (k - 1) / scale;
    sum = log_add(sum, log_binomial(order, k) + outside + k * log_rate + exponent);
  }
  return sum;
}

}  // namespace

MomentsEpsilon moments_epsilon(std::span<const GaussianPhase> run, double delta) {
  validate(run);
  validate_delta(delta);
  if (total_steps(run) == 0) return {};
  constexpr int kLargestLambda = 99;
  MomentsEpsilon best{std::numeric_limits<double>::infinity(), 1};
  for (int lambda = 1; lambda <= kLargestLambda; ++lambda) {
    double moments = 0.0;
    for (const GaussianPhase& phase : run) {
      if (phase.steps == 0) continue;
      moments += static_cast<double>(phase.steps) * log_moment(phase, lambda + 1);
    }
    const double epsilon = (moments - std::log(delta)) / lambda;
    if (epsilon < best.epsilon) best = {epsilon, lambda};
  }
  return best;
}

double advanced_composition_epsilon(const GaussianPhase& phase, double delta, double delta_prime) {
  validate({&phase, 1});
  validate_delta(delta);
  if (phase.steps == 0) return 0.0;
  const double steps = static_cast<double>(phase.steps);
  const double delta_step = (delta - delta_prime) / (steps * phase.sampling_rate);
  const double epsilon_step = std::sqrt(2.0 * std::log(1.25 / delta_step)) / phase.noise_multiplier;
  const double amplified = std::log1p(phase.sampling_rate * std::expm1(epsilon_step));
  return std::sqrt(2.0 * steps * std::log(1.25 / delta_prime)) * amplified +
         steps * amplified * std::expm1(amplified);
}

double published_advanced_composition_epsilon(const GaussianPhase& phase, double delta) {
  constexpr double kPublishedDeltaPrime = 4e-5;
  GaussianPhase twice = phase;
  twice.noise_multiplier *= 2.0;
  return 2.0 * advanced_composition_epsilon(twice, 0.5 * delta, kPublishedDeltaPrime);
}

}  // namespace dpvi
