#include <dpvi/fit/trace/rough_prior_internal.hpp>

#include <algorithm>
#include <cmath>

#include <dpvi/fit/prepare/prior_draw.hpp>
#include <dpvi/random/seeded_generator.hpp>

namespace dpvi {
namespace {

constexpr std::size_t kDraws = 100;
constexpr double kLeastPrecision = 1e-4, kLargestPrecision = 1e8;
// The standard deviation of a Gaussian in median distances from its centre.
constexpr double kSdsPerDistance = 1.4826;

double middle_of(std::vector<double>& values) {
  const auto middle = values.begin() + std::ssize(values) / 2;
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace

DenseGaussian rough_prior(const UniformFunction& prior, std::size_t size,
                          const std::vector<std::size_t>& used) {
  using Eigen::Index;
  const auto count = static_cast<Index>(used.size());
  DenseGaussian rough{Eigen::VectorXd::Zero(count),
                      kLeastPrecision * Eigen::MatrixXd::Identity(count, count)};
  SeededStream stream = SeededGenerator(4).stream({.label = StreamLabel::predictive_draw});
  const auto draws = draws_from_prior(prior, size, kDraws, stream);
  if (draws.empty()) return rough;
  for (Index k = 0; k < count; ++k) {
    std::vector<double> entries;
    for (const auto& draw : draws) entries.push_back(draw[used[static_cast<std::size_t>(k)]]);
    rough.mean[k] = middle_of(entries);
    for (double& entry : entries) entry = std::abs(entry - rough.mean[k]);
    const double precision = std::pow(kSdsPerDistance * middle_of(entries), -2.0);
    rough.precision(k, k) = std::clamp(precision, kLeastPrecision, kLargestPrecision);
  }
  return rough;
}

}  // namespace dpvi
