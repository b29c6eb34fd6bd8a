#include <dpvi/fit/train/release_regression.hpp>

#include <algorithm>
#include <cmath>

#include <dpvi/base/internal/dense_solvers.hpp>
#include <dpvi/optim/tail_average.hpp>

namespace dpvi {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// Prior standard deviation of an entry of H, relative to the curvatures of its row and column. A
// larger value lets the noise dominate.
constexpr double kFreedom = 0.3;
// Smallest curvature assumed in any direction, in the same units.
constexpr double kLeastCurvature = 0.05;
// Smallest variance, relative to the curvature. It keeps exact gradients, which are not linear in
// the point, from dominating the regression.
constexpr double kLeastVariance = 0.01;
constexpr double kFewestSteps = 20.0;

VectorXd vector_of(std::span<const double> values) {
  return VectorXd::Map(values.data(), std::ssize(values));
}

// Combines two estimates of each entry, from its row and its column, weighted by their precision.
// Coordinates that records do not use have no noise. Their rows are known and must not be affected
// by those of the others.
MatrixXd symmetric(const MatrixXd& rows, const VectorXd& variance) {
  MatrixXd result(rows.rows(), rows.cols());
  for (Eigen::Index i = 0; i < rows.rows(); ++i) {
    for (Eigen::Index j = 0; j < rows.cols(); ++j) {
      result(i, j) =
          (variance[j] * rows(i, j) + variance[i] * rows(j, i)) / (variance[i] + variance[j]);
    }
  }
  return result;
}

// Ridge regression: the prior has independent normal entries around the identity, and each row has
// its own noise variance.
MatrixXd regressed(const MatrixXd& squares, const MatrixXd& products, const VectorXd& variance) {
  const Spectrum spectrum = spectrum_of(squares);
  const double looseness = 1.0 / (kFreedom * kFreedom);
  MatrixXd rows(squares.rows(), squares.cols());
  for (Eigen::Index i = 0; i < rows.rows(); ++i) {
    VectorXd right = -products.row(i).transpose() / variance[i];
    right[i] += looseness;
    const VectorXd weight = (spectrum.values.array() / variance[i] + looseness).inverse();
    rows.row(i) = spectrum.vectors * weight.cwiseProduct(spectrum.vectors.transpose() * right);
  }
  return symmetric(rows, variance);
}

MatrixXd inverse_of(const MatrixXd& curvature) {
  const Spectrum spectrum = spectrum_of(curvature);
  const VectorXd inverse = spectrum.values.cwiseMax(kLeastCurvature).cwiseInverse();
  return spectrum.vectors * inverse.asDiagonal() * spectrum.vectors.transpose();
}

}  // namespace

ReleaseRegression::ReleaseRegression(std::int64_t steps, double share, std::size_t size)
    : first_(steps - tail_length(steps, share)), size_(size) {
  if (!gathers()) return;
  points_.resize(size);
  gradients_.resize(size);
  squares_.resize(size * size);
  products_.resize(size * size);
}

void ReleaseRegression::add(std::span<const double> point, std::span<const double> gradient,
                            const StepNoise& noise) {
  if (seen_++ < first_) return;
  count_ += 1.0;
  variance_ += noise.variance;
  sampling_ += noise.sampling;
  if (!gathers()) return;
  for (std::size_t i = 0; i < size_; ++i) {
    points_[i] += point[i];
    gradients_[i] += gradient[i];
    double* square = squares_.data() + i * size_;
    double* product = products_.data() + i * size_;
    for (std::size_t j = 0; j < size_; ++j) {
      square[j] += point[i] * point[j];
      product[j] += gradient[i] * point[j];
    }
  }
}

double ReleaseRegression::variance_in_units_of(double scale) const {
  return (scale * scale * variance_ + sampling_) / count_;
}

std::vector<double> ReleaseRegression::location_sds(std::span<const double> scales,
                                                    const std::vector<bool>& used) const {
  if (count_ == 0.0) return {};
  std::vector<double> sds(scales.size(), 0.0);
  for (std::size_t i = 0; i < sds.size(); ++i) {
    if (used[i]) sds[i] = scales[i] * std::sqrt(variance_in_units_of(scales[i]) / count_);
  }
  return sds;
}

ReleaseRegression::Estimate ReleaseRegression::estimate(std::span<const double> scales,
                                                        const std::vector<bool>& used) const {
  if (count_ < kFewestSteps || !gathers()) return {};
  // Uses coordinates in which the fitted Gaussian is round, so that H is near the identity.
  const VectorXd scale = vector_of(scales);
  const VectorXd root = scale.cwiseInverse();
  const VectorXd points = vector_of(points_), gradients = vector_of(gradients_);
  const MatrixXd squares = root.asDiagonal() *
                           (square_matrix(squares_) - points * points.transpose() / count_) *
                           root.asDiagonal();
  const MatrixXd products = scale.asDiagonal() *
                            (square_matrix(products_) - gradients * points.transpose() / count_) *
                            root.asDiagonal();
  VectorXd variance = VectorXd::Zero(scale.size());
  for (Eigen::Index i = 0; i < scale.size(); ++i) {
    if (!used[static_cast<std::size_t>(i)]) continue;
    variance[i] = variance_in_units_of(scale[i]);
  }
  if (!squares.allFinite() || !products.allFinite() || !variance.allFinite()) return {};
  const MatrixXd curvature = regressed(squares, products, variance.cwiseMax(kLeastVariance));
  const VectorXd noise = (variance / count_).cwiseSqrt();
  const MatrixXd response = scale.asDiagonal() * inverse_of(curvature);
  const VectorXd move = response * scale.cwiseProduct(gradients / count_);
  return {.factor = rows_of(response * noise.asDiagonal()), .move = {move.begin(), move.end()}};
}

}  // namespace dpvi
