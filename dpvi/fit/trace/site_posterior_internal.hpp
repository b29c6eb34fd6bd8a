#pragma once

#include <vector>

#include <Eigen/Core>

#include <dpvi/sample/site_target.hpp>
#include <dpvi/tape/lanes/uniform_function.hpp>

namespace dpvi {

// The mean of sampled draws, their covariance, and the part of it that would remain without privacy
// noise.
struct PosteriorParts {
  Eigen::VectorXd mean;
  Eigen::MatrixXd covariance;
  Eigen::MatrixXd model_covariance;
};

// The parts are divided by the curvatures of prior times site at the mean, with and without noise.
PosteriorParts posterior_parts(const UniformFunction& prior, const Site& site,
                               const Site& site_without_noise,
                               const std::vector<std::vector<double>>& draws);

}  // namespace dpvi
