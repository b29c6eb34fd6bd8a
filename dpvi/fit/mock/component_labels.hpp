#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace dpvi {

// Entries of theta of which each belongs to one component of a mixture, in the same order of the
// components. `ordered`: entries after the first are logarithms of distances.
struct ComponentEntries {
  std::vector<std::size_t> entries;
  bool ordered = false;
};

// The largest distance between corresponding components at two points, in units of `scales` (one
// per entry of theta), under the labels that make it smallest. With many components, labels are
// matched one after the other.
double distance_of_components(std::span<const double> a, std::span<const double> b,
                              std::span<const ComponentEntries> components,
                              std::span<const double> scales);

}  // namespace dpvi
