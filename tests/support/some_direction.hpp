#pragma once

#include <span>
#include <vector>

#include <dpvi/gradient/grid_clipper.hpp>
#include <dpvi/optim/update_direction.hpp>
#include <dpvi/privacy/collective.hpp>
#include <dpvi/privacy/unprotected_mechanism.hpp>

namespace dpvi {

// An arbitrary release; directions are post-processed from it.
inline Released some_release() {
  GridClipper clipper(
      {.grid = NoiseGrid(1.0), .clip_bound = 1.0, .dimension = 1, .max_records = 1});
  return UnprotectedMechanism().release(Collective().reduce(clipper.take_sum()));
}

inline UpdateDirection direction(const std::vector<double>& values) {
  return UpdateDirection(some_release(), [&](std::span<const double>) { return values; });
}

}  // namespace dpvi
