#include <dpvi/fit/plan/noise_forecast.hpp>

#include <algorithm>
#include <cmath>

#include <dpvi/base/internal/dense_solvers.hpp>

namespace dpvi {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// Mock outcomes do not depend on mock covariates. With dependence, records carry less information
// and some have longer gradients. In fits of real tables noise and clipping bias were larger by
// about these factors.
constexpr double kNoiseOfRealTables = 1.5, kShiftOfRealTables = 2.0;
// Conditionally unbiased clipping moves the mean only as far as the law of the outcome is wrong. In
// fits of real tables this was about that share of what it would move otherwise.
constexpr double kShiftByLaw = 0.15;

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

// Means over mock records, in working coordinates: the squared clipped gradient, and the absolute
// value of the part that clipping removes. `information` is the share that clipping keeps.
struct ClippedGradients {
  MatrixXd square;
  VectorXd lost;
  double information = 1.0;
};

ClippedGradients clipped_gradients(const MockStudy& study, double bound) {
  const auto size = static_cast<Eigen::Index>(study.theta.size());
  ClippedGradients result{MatrixXd::Zero(size, size), VectorXd::Zero(size)};
  double all = 0.0, left = 0.0;
  const auto records = std::ssize(study.gradients) / size;
  for (Eigen::Index i = 0; i < records; ++i) {
    const VectorXd gradient = VectorXd::Map(study.gradients.data() + i * size, size);
    const double kept = std::min(1.0, bound / gradient.norm());
    result.square += kept * kept * gradient * gradient.transpose();
    result.lost += (1.0 - kept) * gradient.cwiseAbs();
    all += gradient.squaredNorm();
    left += kept * gradient.squaredNorm();
  }
  if (all > 0.0) result.information = left / all;
  const double count = static_cast<double>(std::max<Eigen::Index>(records, 1));
  result.square /= count;
  result.lost /= count;
  return result;
}

}  // namespace

NoiseForecast forecast_noise(const MockStudy& study, const ForecastRun& run) {
  const auto size = static_cast<Eigen::Index>(study.theta.size());
  NoiseForecast forecast;
  if (study.record_precision.empty()) return forecast;
  const MatrixXd prior = square_matrix(study.prior_precision);
  const MatrixXd precision = prior + run.rows * square_matrix(study.record_precision);
  const MatrixXd covariance = pseudo_inverse(precision);
  // A gradient n in working coordinates moves theta by response * n.
  // Under a law, clipped gradients change with theta by the information that clipping keeps.
  const MatrixXd factor = factor_of(study.coordinates);
  const ClippedGradients gradients = clipped_gradients(study, run.gradient_bound);
  const double kept = run.by_law ? gradients.information : 1.0;
  const MatrixXd slope = prior + kept * (precision - prior);
  const MatrixXd response = factor * pseudo_inverse(factor.transpose() * slope * factor);
  const double noise = run.clip_bound * run.clip_bound * run.noise_square;
  MatrixXd step = run.rows * run.sampling * gradients.square;
  for (Eigen::Index i = 0; i < size; ++i) {
    if (study.used_by_records[static_cast<std::size_t>(i)]) step(i, i) += noise;
  }
  for (Eigen::Index i = 0; i < size; ++i) {
    const VectorXd row = response.row(i);
    forecast.noise_sd.push_back(kNoiseOfRealTables *
                                std::sqrt(row.dot(step * row) / run.averaged_steps));
    const double shift = kShiftOfRealTables * run.rows * row.cwiseProduct(gradients.lost).norm();
    forecast.clip_shift.push_back(run.by_law ? kShiftByLaw * shift : shift);
    forecast.posterior_sd.push_back(std::sqrt(std::max(0.0, covariance(i, i))));
    forecast.prior_sd.push_back(1.0 / std::sqrt(std::max(0.0, prior(i, i))));
  }
  return forecast;
}

}  // namespace dpvi
