#pragma once

#include <span>
#include <vector>

#include <dpvi/gradient/coordinates.hpp>

namespace dpvi {

// Start of the loop: the family's Gaussian with this location and these standard deviations, all in
// working coordinates.
struct LoopStart {
  // Starts at the centre of the coordinates with one common standard deviation.
  LoopStart(Coordinates coordinates, double scale);
  // Starts at theta with its standard deviations.
  LoopStart(Coordinates coordinates, std::span<const double> theta, std::span<const double> scales);

  Coordinates coordinates;
  std::vector<double> location;
  std::vector<double> scales;
};

}  // namespace dpvi
