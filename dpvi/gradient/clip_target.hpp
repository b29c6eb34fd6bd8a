#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include <dpvi/gradient/clip_settings.hpp>

namespace dpvi {

// A clip coordinate on the grid.
struct ClipCoordinateValues {
  std::int32_t shortened = 0;
  std::int32_t unshortened = 0;
  // The bound left for the gradient: gradient_bound^2 + mark^2 <= integer_bound^2 for both marks.
  std::int64_t gradient_bound = 0;
};

// Public numbers that determine how a gradient becomes integers.
struct ClipTarget {
  std::int64_t integer_bound;  // D, at most 2^30
  double clip_bound;           // C
  std::size_t dimension;       // of the gradient
  bool normalise = false;
  std::optional<ClipCoordinateValues> marks = std::nullopt;

  std::int64_t gradient_bound() const { return marks ? marks->gradient_bound : integer_bound; }
  // Number of coordinates of a record's integer vector; the clip coordinate is the last.
  std::size_t width() const { return dimension + (marks ? 1 : 0); }
};

ClipTarget clip_target(const ClipSettings& settings);

// What one usable record adds to the last entry of a sum of information.
double count_of_one_record(const NoiseGrid& grid, double clip_bound);

}  // namespace dpvi
