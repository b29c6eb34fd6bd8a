#include <dpvi/fit/trace/site_posterior_internal.hpp>

#include <dpvi/base/internal/dense_solvers.hpp>
#include <dpvi/fit/numerics/mode_finder.hpp>

namespace dpvi {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

}  // namespace

VectorXd entries_at(std::span<const double> values, const std::vector<std::size_t>& places) {
  VectorXd entries(std::ssize(places));
  for (std::size_t k = 0; k < places.size(); ++k)
    entries[static_cast<Index>(k)] = values[places[k]];
  return entries;
}

SitePosterior site_posterior(const UniformFunction& prior, const TraceSite& site,
                             const std::vector<std::size_t>& used, std::span<const double> start) {
  const MatrixXd precision = pseudo_inverse(site.noise_covariance + site.data_covariance);
  const ValueAndGradientFunction target = [&](std::span<const double> theta,
                                              std::span<double> gradient) {
    const double value = prior.value_and_gradient(theta, gradient);
    const VectorXd distance = entries_at(theta, used) - site.mean;
    const VectorXd slope = precision * distance;
    for (std::size_t k = 0; k < used.size(); ++k) gradient[used[k]] -= slope[static_cast<Index>(k)];
    return value - 0.5 * distance.dot(slope);
  };
  const Mode mode = find_mode(target, start);
  const MatrixXd total = square_matrix(mode.precision);
  MatrixXd model = total;
  const MatrixXd added = pseudo_inverse(site.data_covariance) - precision;
  for (std::size_t k = 0; k < used.size(); ++k) {
    for (std::size_t l = 0; l < used.size(); ++l) {
      model(static_cast<Index>(used[k]), static_cast<Index>(used[l])) +=
          added(static_cast<Index>(k), static_cast<Index>(l));
    }
  }
  return {VectorXd::Map(mode.theta.data(), std::ssize(mode.theta)),
          pseudo_inverse(made_positive(total)), pseudo_inverse(made_positive(model))};
}

}  // namespace dpvi
