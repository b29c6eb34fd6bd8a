#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <dpvi/sample/log_density.hpp>

namespace dpvi {

// Coordinates whose distribution given all others is normal under the prior, and the same for all
// of them. Location and log scale are affine functions of other coordinates, their parents. The
// effects of groups are such coordinates; their parents are the mean and the log scale of the
// effects.
struct ConditionalNormals {
  struct Parent {
    std::size_t coordinate = 0;
    double location_slope = 0.0;
    double log_scale_slope = 0.0;
  };

  std::vector<std::size_t> coordinates;
  double location = 0.0;   // where all parents are 0
  double log_scale = 0.0;  // where all parents are 0
  std::vector<Parent> parents = {};

  // Location and log scale for given values of the parents.
  double location_at(std::span<const double> theta) const;
  double log_scale_at(std::span<const double> theta) const;
};

// Levels of a hierarchy, lowest first. No coordinate has a parent in its own or in a lower level.
using ConditionalLevels = std::vector<std::vector<ConditionalNormals>>;

// Finds the coordinates whose scale depends on other coordinates, from gradients of the prior near
// `centre` alone. Coordinates without such a structure are left out, and so is a coordinate for
// which the affine functions do not predict the gradient at another point. A level above the first
// is found after the levels below have been integrated out.
//
// Finds nothing in more than 3000 dimensions, where the search would take too long.
ConditionalLevels find_conditional_levels(const LogDensity& prior, std::span<const double> centre);

}  // namespace dpvi
