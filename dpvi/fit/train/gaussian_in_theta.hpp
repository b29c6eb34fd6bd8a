#pragma once

#include <span>
#include <vector>

#include <dpvi/family/family.hpp>
#include <dpvi/gradient/coordinates.hpp>

namespace dpvi {

// Converts the family's Gaussian over z to parameters over theta. If the family cannot represent
// the result, it returns a close Gaussian (Family::mapped).
std::vector<double> gaussian_in_theta(const Family& family, const Coordinates& coordinates,
                                      std::span<const double> parameters);

}  // namespace dpvi
