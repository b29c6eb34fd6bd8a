#pragma once

#include <vector>

#include <dpvi/family/gaussian.hpp>

namespace dpvi {

// The Gaussian with the mean and covariance of draws, of which there is at least one. Up to 200
// dimensions it is full-rank. Beyond that, and if the covariance is not positive definite, it is
// mean-field with the same standard deviations; one that is 0 or not finite becomes tiny.
Gaussian moment_gaussian(const std::vector<std::vector<double>>& draws);

}  // namespace dpvi
