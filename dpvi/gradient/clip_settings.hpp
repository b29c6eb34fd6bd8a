#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include <dpvi/privacy/clip_coordinate.hpp>
#include <dpvi/privacy/noise_grid.hpp>

namespace dpvi {

enum class ClipRule {
  shorten,   // a gradient above the bound is scaled down to it; others stay unchanged
  normalise  // every gradient g becomes C g / (|g| + C / 100), near the bound whatever its norm
};

inline constexpr double kSmallestClipBound = 1e-100;
inline constexpr double kLargestClipBound = 1e100;

// Public numbers that determine how the clipper treats a record.
struct ClipSettings {
  NoiseGrid grid;
  // Largest Euclidean norm of a record's contribution to the sum, its clip coordinate included.
  double clip_bound = 1.0;
  std::size_t dimension = 0;
  // A public upper bound on the number of records in one step, such as the declared table size.
  std::uint64_t max_records = 0;
  ClipRule rule = ClipRule::shorten;
  // Allowed only with ClipRule::shorten.
  std::optional<ClipCoordinate> coordinate = std::nullopt;
};

}  // namespace dpvi
