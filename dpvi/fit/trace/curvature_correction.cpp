#include <dpvi/fit/trace/curvature_correction_internal.hpp>

#include <algorithm>
#include <cmath>

#include <dpvi/base/internal/dense_solvers.hpp>
#include <dpvi/fit/numerics/places.hpp>
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
// Before a release, sd of the logarithm of a group's size.
constexpr double kGroupSpread = 0.5;
constexpr double kLongestStep = 0.7;
constexpr int kMostSteps = 60;

// Sd of an off-diagonal entry of S before a release: largest eigenvalues of about 2.
double prior_spread(Index size) {
  return std::min(0.35, 1.0 / std::sqrt(static_cast<double>(size)));
}

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

struct DenseCorrection {
  MatrixXd log_ratio;
  double spread;
};

// Newton steps for the mode of S. In its own eigenbasis, S = diag(l), the derivative of e^S in an
// off-diagonal pair of entries is the divided difference of e^l, and the pairs separate.
DenseCorrection infer_dense(const MatrixXd& measured, double noise_sd) {
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
  return {log_ratio, std::min(spread, std::sqrt(left_variance))};
}

// The same for one coordinate on its own.
struct OwnCorrection {
  double log_ratio;
  double spread;
};

OwnCorrection infer_own(double measured, double noise_sd) {
  const double variance = noise_sd * noise_sd + kModelError * kModelError;
  const double prior = 1.0 / (kGroupSpread * kGroupSpread);
  double value = 0.0, precision = prior;
  for (int iteration = 0; iteration < kMostSteps; ++iteration) {
    const double ratio = std::exp(value);
    precision = prior + ratio * ratio / variance;
    const double step = (ratio * (measured - ratio) / variance - prior * value) / precision;
    value += std::clamp(step, -kLongestStep, kLongestStep);
    if (std::abs(step) < 1e-4) break;
  }
  return {value, 1.0 / std::sqrt(precision)};
}

}  // namespace

MatrixXd exponential(const MatrixXd& symmetric) {
  const Spectrum spectrum = spectrum_of(symmetric);
  const VectorXd values = spectrum.values.cwiseMax(-6.0).cwiseMin(6.0).array().exp().matrix();
  return spectrum.vectors * values.asDiagonal() * spectrum.vectors.transpose();
}

CurvatureCorrection unknown_curvature(std::vector<bool> common) {
  const auto size = static_cast<Index>(common.size());
  const auto dense = static_cast<Index>(places_of<Index>(common).size());
  CurvatureCorrection result{.log_ratio = MatrixXd::Zero(size, size),
                             .common = std::move(common),
                             .spread = dense > 0 ? prior_spread(dense) : 0.0,
                             .shared_spread = kCommonSpread,
                             .own_spread = VectorXd::Constant(size, kGroupSpread)};
  for (const Index i : places_of<Index>(result.common)) result.log_ratio(i, i) = prior_mean(dense);
  return result;
}

CurvatureCorrection known_curvature(std::vector<bool> common) {
  const auto size = static_cast<Index>(common.size());
  return {.log_ratio = MatrixXd::Zero(size, size),
          .common = std::move(common),
          .spread = kModelError,
          .shared_spread = kModelError,
          .own_spread = VectorXd::Constant(size, kModelError)};
}

CurvatureCorrection infer_curvature(const MatrixXd& measured, const VectorXd& noise_sds,
                                    std::vector<bool> common) {
  CurvatureCorrection result = unknown_curvature(std::move(common));
  const std::vector<Index> dense = places_of<Index>(result.common);
  if (!dense.empty()) {
    const DenseCorrection found = infer_dense(measured(dense, dense), noise_sds(dense).mean());
    result.log_ratio(dense, dense) = found.log_ratio;
    result.spread = found.spread;
    result.shared_spread = std::min(kCommonSpread, std::max(kLeastCommonSpread, found.spread));
  }
  for (Index i = 0; i < measured.rows(); ++i) {
    if (result.common[static_cast<std::size_t>(i)]) continue;
    const OwnCorrection found = infer_own(measured(i, i), noise_sds[i]);
    result.log_ratio(i, i) = found.log_ratio;
    result.own_spread[i] = found.spread;
  }
  return result;
}

std::vector<MatrixXd> draw_remaining(const CurvatureCorrection& correction, std::size_t count,
                                     SeededStream& stream) {
  const Index size = correction.log_ratio.rows();
  const std::vector<Index> dense = places_of<Index>(correction.common);
  std::vector<MatrixXd> draws;
  while (draws.size() < count) {
    MatrixXd draw = MatrixXd::Zero(size, size);
    const double shared = correction.shared_spread * standard_normal(stream);
    for (Index i = 0; i < size; ++i)
      draw(i, i) = correction.own_spread[i] * standard_normal(stream);
    for (std::size_t i = 0; i < dense.size(); ++i) {
      draw(dense[i], dense[i]) =
          shared + std::sqrt(2.0) * correction.spread * standard_normal(stream);
      for (std::size_t j = 0; j < i; ++j) {
        draw(dense[i], dense[j]) = draw(dense[j], dense[i]) =
            correction.spread * standard_normal(stream);
      }
    }
    draws.push_back(std::move(draw));
  }
  return draws;
}

}  // namespace dpvi
