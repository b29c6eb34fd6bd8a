#pragma once

#include <Eigen/Core>

namespace dpvi {

// A Gaussian over the parameters that records use.
struct DenseGaussian {
  Eigen::VectorXd mean;
  Eigen::MatrixXd precision;
};

}  // namespace dpvi
