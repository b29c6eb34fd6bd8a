#pragma once

#include <span>
#include <vector>

#include <dpvi/gradient/coordinates.hpp>

namespace dpvi {

// Where the loop starts: the family's Gaussian with this location and these standard deviations,
// all in the working coordinates.
struct LoopStart {
  // At the centre of the coordinates, with one common standard deviation.
  LoopStart(Coordinates coordinates, double scale);
  // From theta and its standard deviations.
  LoopStart(Coordinates coordinates, std::span<const double> theta, std::span<const double> scales);

  Coordinates coordinates;
  std::vector<double> location;
  std::vector<double> scales;
};

}  // namespace dpvi
