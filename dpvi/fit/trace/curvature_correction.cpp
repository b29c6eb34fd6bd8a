#include <dpvi/fit/trace/curvature_correction_internal.hpp>

#include <algorithm>
#include <cmath>

#include <dpvi/base/internal/dense_solvers.hpp>
#include <dpvi/random/standard_normal.hpp>

namespace dpvi {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// Before a release, sd of the part of S that is common to all diagonal entries.
constexpr double kCommonSpread = 0.5;
// Relative error of mock records that no release removes.
constexpr double kModelError = 0.03;
constexpr double kLeastCommonSpread = 0.1;
constexpr double kLongestStep = 0.7;
constexpr int kMostSteps = 60;

// Sd of an off-diagonal entry of S before a release: largest eigenvalues of about 2.
double prior_spread(Index size) { return 1.0 / std::sqrt(static_cast<double>(size)); }

// Mean of the diagonal of S before a release, such that the mean of e^S has ones on its diagonal:
// the information of each column is right on average, only correlations are unknown.
double prior_mean(Index size) {
  const double spread = prior_spread(size);
  return -std::min(0.7, 0.5 * spread * spread * static_cast<double>(size + 1));
}

// (e^a - e^b) / (a - b).
double divided_difference(double a, double b) {
  return std::abs(a - b) < 1e-7 ? std::exp(a) : (std::exp(a) - std::exp(b)) / (a - b);
}

}  // namespace

MatrixXd exponential(const MatrixXd& symmetric) {
  const Spectrum spectrum = spectrum_of(symmetric);
  const VectorXd values = spectrum.values.cwiseMax(-6.0).cwiseMin(6.0).array().exp().matrix();
  return spectrum.vectors * values.asDiagonal() * spectrum.vectors.transpose();
}

CurvatureCorrection unknown_curvature(Index size) {
  return {prior_mean(size) * MatrixXd::Identity(size, size), prior_spread(size), kCommonSpread};
}

// Newton steps for the mode of S. In its own eigenbasis, S = diag(l), the derivative of e^S in an
// off-diagonal pair of entries is the divided difference of e^l, and the pairs separate.
CurvatureCorrection infer_curvature(const MatrixXd& measured, double noise_sd) {
  const Index size = measured.rows();
  const double spread = prior_spread(size), mean = prior_mean(size);
  const double variance = noise_sd * noise_sd + kModelError * kModelError;
  MatrixXd prior_diagonal = 2.0 * spread * spread * MatrixXd::Identity(size, size);
  prior_diagonal.array() += kCommonSpread * kCommonSpread;
  const MatrixXd prior_precision = pseudo_inverse(prior_diagonal);
  MatrixXd log_ratio = mean * MatrixXd::Identity(size, size);
  MatrixXd diagonal_precision;
  double left_variance = 0.0;
  for (int iteration = 0; iteration < kMostSteps; ++iteration) {
    const Spectrum own = spectrum_of(log_ratio);
    const MatrixXd seen = own.vectors.transpose() * measured * own.vectors;
    const VectorXd values = own.values.array().exp().matrix();
    diagonal_precision = prior_precision;
    diagonal_precision.diagonal().array() += values.array().square() / variance;
    const VectorXd error = seen.diagonal() - values;
    const VectorXd right = (values.array() * error.array() / variance).matrix() -
                           prior_precision * (own.values.array() - mean).matrix();
    MatrixXd step = MatrixXd::Zero(size, size);
    step.diagonal() = solve_positive(diagonal_precision, right);
    left_variance = 0.0;
    for (Index i = 0; i < size; ++i) {
      for (Index j = 0; j < i; ++j) {
        const double slope = divided_difference(own.values[i], own.values[j]);
        const double precision = 1.0 / (spread * spread) + 2.0 * slope * slope / variance;
        step(i, j) = step(j, i) = 2.0 * slope * seen(i, j) / variance / precision;
        left_variance += 1.0 / precision;
      }
    }
    const double longest = step.cwiseAbs().maxCoeff();
    if (longest > kLongestStep) step *= kLongestStep / longest;
    log_ratio = own.vectors * (MatrixXd(own.values.asDiagonal()) + step) * own.vectors.transpose();
    if (longest < 1e-3) break;
  }
  const double pairs = 0.5 * static_cast<double>(size * (size - 1));
  left_variance += 0.5 * pseudo_inverse(diagonal_precision).trace();
  left_variance /= pairs + static_cast<double>(size);
  const double remaining = std::sqrt(left_variance);
  return {log_ratio, remaining, std::min(kCommonSpread, std::max(kLeastCommonSpread, remaining))};
}

std::vector<MatrixXd> draw_remaining(const CurvatureCorrection& correction, std::size_t count,
                                     SeededStream& stream) {
  const Index size = correction.log_ratio.rows();
  std::vector<MatrixXd> draws;
  while (draws.size() < count) {
    const double common = correction.common_spread * standard_normal(stream);
    MatrixXd draw(size, size);
    for (Index i = 0; i < size; ++i) {
      draw(i, i) = common + std::sqrt(2.0) * correction.spread * standard_normal(stream);
      for (Index j = 0; j < i; ++j) {
        draw(i, j) = draw(j, i) = correction.spread * standard_normal(stream);
      }
    }
    draws.push_back(std::move(draw));
  }
  return draws;
}

}  // namespace dpvi
