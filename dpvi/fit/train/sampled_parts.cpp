#include <dpvi/fit/train/sampled_parts.hpp>

#include <dpvi/base/internal/dense_solvers.hpp>
#include <dpvi/fit/trace/site_posterior_internal.hpp>

namespace dpvi {

void set_sampled_parts(FitResult& result, const RecordModel& model, const Site& site,
                       const Site& site_without_noise,
                       const std::vector<std::vector<double>>& draws) {
  using Eigen::MatrixXd;
  const PosteriorParts parts = posterior_parts(model.prior(), site, site_without_noise, draws);
  const Eigen::Index size = parts.mean.size();
  const MatrixXd root = cholesky_factor(made_positive(parts.model_covariance))
                            .value_or(MatrixXd::Identity(size, size));
  const Spectrum noise = spectrum_of(parts.covariance - parts.model_covariance);
  const MatrixXd factor = noise.vectors * noise.values.cwiseMax(0.0).cwiseSqrt().asDiagonal();
  const std::vector<double> mean(parts.mean.begin(), parts.mean.end());
  result.fitted.parameters = result.fitted.family->parameters(mean, {rows_of(root)});
  result.location_noise = LocationNoise::of_factor(rows_of(factor), mean.size());
  result.trace.mean_sd = result.location_noise.standard_deviations();
}

}  // namespace dpvi
