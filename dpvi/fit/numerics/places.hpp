#pragma once

#include <cstddef>
#include <vector>

namespace dpvi {

// The places of the entries that are true, in increasing order.
template <class Place = std::size_t>
std::vector<Place> places_of(const std::vector<bool>& marked) {
  std::vector<Place> places;
  for (std::size_t i = 0; i < marked.size(); ++i) {
    if (marked[i]) places.push_back(static_cast<Place>(i));
  }
  return places;
}

}  // namespace dpvi
