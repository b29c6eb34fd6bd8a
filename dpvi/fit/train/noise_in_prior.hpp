#pragma once

#include <vector>

#include <dpvi/family/location_noise.hpp>
#include <dpvi/tape/lanes/uniform_function.hpp>

namespace dpvi {

// Parameters that no record uses, such as the scale of group effects, follow from other parameters
// through the prior. The fit treated the locations of those as known, but noise moved them, so that
// group effects look more or less alike than they are. This is how far the prior would move such a
// parameter if it knew, in the curvature that its fitted sd implies. It is zero for parameters that
// records use.
std::vector<double> move_by_hidden_noise(const Gaussian& fitted, const LocationNoise& noise,
                                         const UniformFunction& prior,
                                         const std::vector<bool>& used_by_records);

}  // namespace dpvi
