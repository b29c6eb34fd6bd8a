#pragma once

#include <Eigen/Core>

namespace dpvi {

// Approximates a covariance by a few columns B and a diagonal s. It keeps the variances and fits B
// B' to the covariances by the principal factor method (Harman 1976, "Modern factor analysis").
struct PrincipalFactors {
  PrincipalFactors(const Eigen::MatrixXd& covariance, Eigen::Index rank);

  Eigen::MatrixXd columns;
  Eigen::VectorXd diagonal;
};

}  // namespace dpvi
