#pragma once

#include <Eigen/Core>

#include <dpvi/sample/random_numbers.hpp>

namespace dpvi {

// The kinetic energy p' C p / 2 of a momentum p. C approximates the covariance of the target.
class Metric {
 public:
  // C is the identity.
  explicit Metric(Eigen::Index dimension);
  static Metric diagonal(Eigen::VectorXd variances);
  // Falls back to the diagonal of the matrix if it is not positive definite.
  static Metric dense(Eigen::MatrixXd covariance);

  void draw_momentum(RandomNumbers& random, Eigen::VectorXd& momentum) const;
  // Writes C p.
  void velocity(const Eigen::VectorXd& momentum, Eigen::VectorXd& velocity) const;

 private:
  Eigen::VectorXd variances_;   // of a diagonal C
  Eigen::MatrixXd covariance_;  // of a dense C, else empty
  Eigen::MatrixXd factor_;      // its lower Cholesky factor
};

// Collects the draws of one window of the warm-up and turns them into a metric.
class MetricEstimate {
 public:
  MetricEstimate(Eigen::Index dimension, bool dense);

  void add(const Eigen::VectorXd& draw);
  // The covariance of the draws, shrunk as Stan does towards a small multiple of the identity.
  // Correlations of a dense estimate are shrunk by as much as the number of draws leaves them
  // uncertain (Schafer & Strimmer 2005): uncorrelated coordinates give a nearly diagonal metric.
  Metric metric() const;
  void clear();

 private:
  Eigen::MatrixXd shrunk_covariance(const Eigen::VectorXd& variances) const;

  bool dense_;
  double count_ = 0.0;
  Eigen::VectorXd mean_;
  Eigen::VectorXd squares_;   // sums of squared deviations
  Eigen::MatrixXd products_;  // lower triangle of the sums of products, if dense
};

}  // namespace dpvi
