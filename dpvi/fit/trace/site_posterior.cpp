#include <dpvi/fit/trace/site_posterior_internal.hpp>

#include <algorithm>

#include <dpvi/base/internal/dense_solvers.hpp>
#include <dpvi/fit/numerics/mode_finder.hpp>

namespace dpvi {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// Standard deviations of a Gaussian with the curvature of prior times site at theta.
VectorXd local_sds(const UniformFunction& prior, const Site& site, std::span<const double> theta) {
  const SiteTarget target(log_density_of(prior), theta.size(), site);
  const ValueAndGradientFunction density = [&](std::span<const double> point,
                                               std::span<double> gradient) {
    return target.value_and_gradient(point, gradient);
  };
  const MatrixXd precision = square_matrix(minus_hessian(density, theta));
  if (!precision.allFinite()) return VectorXd::Zero(precision.rows());
  return pseudo_inverse(made_positive(precision)).diagonal().cwiseMax(0.0).cwiseSqrt();
}

}  // namespace

PosteriorParts posterior_parts(const UniformFunction& prior, const Site& site,
                               const Site& site_without_noise,
                               const std::vector<std::vector<double>>& draws) {
  const auto size = std::ssize(draws.front());
  const double count = static_cast<double>(draws.size());
  PosteriorParts parts{VectorXd::Zero(size), MatrixXd::Zero(size, size), {}};
  for (const auto& draw : draws) parts.mean += VectorXd::Map(draw.data(), size) / count;
  for (const auto& draw : draws) {
    const VectorXd distance = VectorXd::Map(draw.data(), size) - parts.mean;
    parts.covariance += distance * distance.transpose() / std::max(1.0, count - 1.0);
  }
  const std::span<const double> mean(parts.mean.data(), static_cast<std::size_t>(size));
  const VectorXd total = local_sds(prior, site, mean);
  const VectorXd model = local_sds(prior, site_without_noise, mean);
  VectorXd share(size);
  for (Index i = 0; i < size; ++i) {
    share[i] = total[i] > 0.0 ? std::min(1.0, model[i] / total[i]) : 1.0;
  }
  parts.model_covariance = share.asDiagonal() * parts.covariance * share.asDiagonal();
  return parts;
}

}  // namespace dpvi
