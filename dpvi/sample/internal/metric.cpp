#include <dpvi/sample/internal/metric.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include <dpvi/base/internal/dense_solvers.hpp>

namespace dpvi {

Metric::Metric(Eigen::Index dimension) : variances_(Eigen::VectorXd::Ones(dimension)) {}

Metric Metric::diagonal(Eigen::VectorXd variances) {
  Metric metric(variances.size());
  metric.variances_ = std::move(variances);
  return metric;
}

Metric Metric::dense(Eigen::MatrixXd covariance) {
  Metric metric = diagonal(covariance.diagonal());
  if (std::optional<Eigen::MatrixXd> factor = cholesky_factor(covariance)) {
    metric.factor_ = std::move(*factor);
    metric.covariance_ = std::move(covariance);
  }
  return metric;
}

void Metric::draw_momentum(RandomNumbers& random, Eigen::VectorXd& momentum) const {
  random.fill_normal({momentum.data(), static_cast<std::size_t>(momentum.size())});
  if (factor_.size() == 0) {
    momentum.array() /= variances_.array().sqrt();
  } else {
    factor_.transpose().triangularView<Eigen::Upper>().solveInPlace(momentum);
  }
}

void Metric::velocity(const Eigen::VectorXd& momentum, Eigen::VectorXd& velocity) const {
  if (factor_.size() == 0) {
    velocity = variances_.cwiseProduct(momentum);
  } else {
    velocity.noalias() = covariance_ * momentum;
  }
}

MetricEstimate::MetricEstimate(Eigen::Index dimension, bool dense)
    : dense_(dense),
      mean_(Eigen::VectorXd::Zero(dimension)),
      squares_(mean_),
      products_(Eigen::MatrixXd::Zero(dense ? dimension : 0, dense ? dimension : 0)) {}

void MetricEstimate::add(const Eigen::VectorXd& draw) {
  count_ += 1.0;
  const Eigen::VectorXd before = draw - mean_;
  mean_ += before / count_;
  const Eigen::VectorXd after = draw - mean_;
  squares_ += before.cwiseProduct(after);
  if (dense_) {
    products_.selfadjointView<Eigen::Lower>().rankUpdate(before, (count_ - 1.0) / count_);
  }
}

void MetricEstimate::clear() {
  count_ = 0.0;
  mean_.setZero();
  squares_.setZero();
  products_.setZero();
}

Metric MetricEstimate::metric() const {
  constexpr double kPriorDraws = 5.0;
  constexpr double kPriorVariance = 1e-3;
  const double share = count_ / (count_ + kPriorDraws);
  Eigen::VectorXd variances =
      (share / std::max(count_ - 1.0, 1.0) * squares_).array() + (1.0 - share) * kPriorVariance;
  for (double& variance : variances) {
    if (!std::isfinite(variance) || variance <= 0.0) variance = 1.0;
  }
  return dense_ ? Metric::dense(shrunk_covariance(variances))
                : Metric::diagonal(std::move(variances));
}

Eigen::MatrixXd MetricEstimate::shrunk_covariance(const Eigen::VectorXd& variances) const {
  const Eigen::VectorXd inverse_sds = squares_.cwiseMax(1e-300).cwiseSqrt().cwiseInverse();
  Eigen::MatrixXd correlations = inverse_sds.asDiagonal() * products_ * inverse_sds.asDiagonal();
  correlations.triangularView<Eigen::StrictlyUpper>() = correlations.transpose();
  correlations.diagonal().setZero();
  if (!correlations.allFinite()) correlations.setZero();
  const Eigen::ArrayXXd squared = correlations.array().square();
  const auto size = static_cast<double>(squares_.size());
  const double error = ((1.0 - squared).square().sum() - size) / std::max(count_ - 1.0, 1.0);
  const double kept = std::clamp(1.0 - error / std::max(squared.sum(), 1e-300), 0.0, 1.0);
  correlations *= kept;
  correlations.diagonal().setOnes();
  const Eigen::VectorXd sds = variances.cwiseSqrt();
  return sds.asDiagonal() * correlations * sds.asDiagonal();
}

}  // namespace dpvi
