#pragma once

#include <span>
#include <vector>

#include <dpvi/family/gaussian_family.hpp>
#include <dpvi/gradient/coordinates.hpp>

namespace dpvi {

// Parameters of the family's Gaussian over z, told as one over theta. A mean-field family keeps of
// it the closest independent Gaussian in the divergence that variational inference minimises: the
// one with its conditional standard deviations. A low-rank family keeps the variances and, where
// the coordinates mix, the leading factors of the rest.
std::vector<double> gaussian_in_theta(const GaussianFamily& family, const Coordinates& coordinates,
                                      std::span<const double> parameters);

}  // namespace dpvi
