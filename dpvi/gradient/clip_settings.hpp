#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include <dpvi/privacy/clip_coordinate.hpp>
#include <dpvi/privacy/noise_grid.hpp>

namespace dpvi {

enum class ClipRule {
  shorten,   // a gradient above the bound is brought down to it, others stay
  normalise  // every gradient g becomes C g / (|g| + C / 100): near the bound whatever its length
};

inline constexpr double kSmallestClipBound = 1e-100;
inline constexpr double kLargestClipBound = 1e100;

// Public numbers that fix what the clipper does to a record.
struct ClipSettings {
  NoiseGrid grid;
  // Largest Euclidean norm of what a record adds to the sum, its clip coordinate included.
  double clip_bound = 1.0;
  std::size_t dimension = 0;
  // A public upper bound on the records in one step, such as the declared table size.
  std::uint64_t max_records = 0;
  ClipRule rule = ClipRule::shorten;
  // Goes with ClipRule::shorten only.
  std::optional<ClipCoordinate> coordinate = std::nullopt;
};

}  // namespace dpvi
