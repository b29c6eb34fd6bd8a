#include <dpvi/fit/noise_forecast.hpp>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

namespace dpvi {
namespace {

using Eigen::MatrixXd;

MatrixXd factor_of(const Coordinates& coordinates) {
  const auto size = static_cast<Eigen::Index>(coordinates.size());
  MatrixXd factor = MatrixXd::Zero(size, size);
  for (Eigen::Index i = 0; i < size; ++i) {
    for (Eigen::Index j = 0; j <= i; ++j) {
      factor(i, j) = coordinates.factor(static_cast<std::size_t>(i), static_cast<std::size_t>(j));
    }
  }
  return factor;
}

}  // namespace

NoiseForecast forecast_noise(const MockStudy& study, const ForecastRun& run) {
  const auto size = static_cast<Eigen::Index>(study.theta.size());
  NoiseForecast forecast;
  if (study.record_precision.empty()) return forecast;
  const auto prior = Eigen::Map<const MatrixXd>(study.prior_precision.data(), size, size);
  const auto record = Eigen::Map<const MatrixXd>(study.record_precision.data(), size, size);
  const MatrixXd total = prior + run.rows * record;
  const MatrixXd covariance =
      (0.5 * (total + total.transpose())).completeOrthogonalDecomposition().pseudoInverse();
  // Noise n by the coordinates is noise factor^-T n in theta's gradient.
  const MatrixXd factor = factor_of(study.coordinates);
  const MatrixXd spread =
      factor.transpose().triangularView<Eigen::Upper>().solve<Eigen::OnTheRight>(covariance);
  const double noise =
      run.clip_bound * run.noise_multiplier / (run.sampling_rate * std::sqrt(run.averaged_steps));
  for (Eigen::Index i = 0; i < size; ++i) {
    forecast.noise_sd.push_back(noise * spread.row(i).norm());
    forecast.posterior_sd.push_back(std::sqrt(std::max(0.0, covariance(i, i))));
    forecast.prior_sd.push_back(1.0 / std::sqrt(std::max(0.0, prior(i, i))));
  }
  return forecast;
}

}  // namespace dpvi
