#pragma once

#include <span>
#include <vector>

#include <dpvi/family/gaussian_family.hpp>
#include <dpvi/gradient/coordinates.hpp>

namespace dpvi {

// Converts the family's Gaussian over z to parameters over theta. A mean-field family gets the
// closest independent Gaussian in the divergence that variational inference minimises: the one with
// the conditional standard deviations. A low-rank family keeps the variances and, if the
// coordinates mix, the leading factors of the remaining covariance.
std::vector<double> gaussian_in_theta(const GaussianFamily& family, const Coordinates& coordinates,
                                      std::span<const double> parameters);

}  // namespace dpvi
