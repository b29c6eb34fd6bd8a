#pragma once

#include <Eigen/Core>

namespace dpvi {

// A covariance told by few columns B and a diagonal s: its variances, and B B' as close to the rest
// as it gets, by the principal factor method (Harman 1976, "Modern factor analysis").
struct PrincipalFactors {
  PrincipalFactors(const Eigen::MatrixXd& covariance, Eigen::Index rank);

  Eigen::MatrixXd columns;
  Eigen::VectorXd diagonal;
};

}  // namespace dpvi
