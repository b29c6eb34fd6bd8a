#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <Eigen/Core>

#include <dpvi/fit/trace/trace_inference_internal.hpp>
#include <dpvi/tape/lanes/uniform_function.hpp>

namespace dpvi {

// The mode of prior times site, and the covariances there.
struct SitePosterior {
  Eigen::VectorXd mean;
  Eigen::MatrixXd covariance;        // with all uncertainty
  Eigen::MatrixXd model_covariance;  // as if there were no privacy noise
};

// `used` are the places of the site's parameters in theta. The search starts at `start`.
SitePosterior site_posterior(const UniformFunction& prior, const TraceSite& site,
                             const std::vector<std::size_t>& used, std::span<const double> start);

// The entries of `values` at these places.
Eigen::VectorXd entries_at(std::span<const double> values, const std::vector<std::size_t>& places);

}  // namespace dpvi
