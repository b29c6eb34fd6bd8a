#include <dpvi/fit/trace/rough_prior_internal.hpp>

#include <algorithm>
#include <cmath>

#include <dpvi/fit/prepare/prior_draw.hpp>
#include <dpvi/random/seeded_generator.hpp>
#include <dpvi/sample/sample_posterior.hpp>

namespace dpvi {
namespace {

constexpr int kDraws = 100;
constexpr double kLeastPrecision = 1e-4, kLargestPrecision = 1e8;
// The standard deviation of a Gaussian in median distances from its centre.
constexpr double kSdsPerDistance = 1.4826;

// Draws by NUTS, which copes with hierarchies; by slices if that fails, as it does where the prior
// does not decay.
std::vector<std::vector<double>> prior_draws(const UniformFunction& prior) {
  constexpr double kLargestRHat = 1.2;
  SamplingSettings settings;
  settings.nuts = {.chains = 2, .warmup = 200, .draws = kDraws};
  settings.least_effective_size = 0.0;
  const SampledPosterior found = sample_posterior(prior, Site{}, settings, SeededGenerator(4));
  if (found.chains.largest_r_hat() <= kLargestRHat) return found.theta;
  SeededStream stream = SeededGenerator(4).stream({.label = StreamLabel::predictive_draw});
  return draws_from_prior(prior, prior.theta_size(), kDraws, stream);
}

double middle_of(std::vector<double>& values) {
  const auto middle = values.begin() + std::ssize(values) / 2;
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace

RoughPrior rough_prior(const UniformFunction& prior, const UniformMap& release) {
  using Eigen::Index;
  const auto count = static_cast<Index>(release.size());
  DenseGaussian rough{Eigen::VectorXd::Zero(count),
                      kLeastPrecision * Eigen::MatrixXd::Identity(count, count)};
  std::vector<std::vector<double>> numbers;
  for (const std::vector<double>& theta : prior_draws(prior)) {
    numbers.push_back(release.evaluate(theta));
  }
  for (Index k = 0; k < count && !numbers.empty(); ++k) {
    std::vector<double> entries;
    for (const auto& draw : numbers) entries.push_back(draw[static_cast<std::size_t>(k)]);
    std::erase_if(entries, [](double entry) { return !std::isfinite(entry); });
    if (entries.empty()) continue;
    rough.mean[k] = middle_of(entries);
    for (double& entry : entries) entry = std::abs(entry - rough.mean[k]);
    const double precision = std::pow(kSdsPerDistance * middle_of(entries), -2.0);
    rough.precision(k, k) = std::clamp(precision, kLeastPrecision, kLargestPrecision);
  }
  std::vector<double> centre(rough.mean.begin(), rough.mean.end());
  return {std::move(rough), std::move(centre)};
}

}  // namespace dpvi
