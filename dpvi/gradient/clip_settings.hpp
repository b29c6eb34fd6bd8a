#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include <dpvi/privacy/clip_coordinate.hpp>
#include <dpvi/privacy/noise_grid.hpp>

namespace dpvi {

// What is summed over the records of a step.
enum class ReleasedSum {
  gradients,    // the clipped gradients
  information,  // outer products v v' of v = (clipped gradient, a constant), all entries row by row
  counts        // how many records fall into each bin of some histograms (outcome_bins.hpp)
};

enum class ClipRule {
  shorten,   // a gradient above the bound is scaled down to it; others stay unchanged
  normalise  // every gradient g becomes C g / (|g| + C / 100), near the bound whatever its norm
};

inline constexpr double kSmallestClipBound = 1e-100;
inline constexpr double kLargestClipBound = 1e100;

// In a sum of information: the share of the clip bound that the constant of v takes. Its own square
// in the sum counts the usable records.
inline constexpr double kCountShare = 0.5;

// Public numbers that determine how the clipper treats a record.
struct ClipSettings {
  NoiseGrid grid;
  // Largest Euclidean norm of a record's contribution to the sum, its clip coordinate included. For
  // information, the largest norm of v.
  double clip_bound = 1.0;
  std::size_t dimension = 0;
  // A public upper bound on the number of records in one step, such as the declared table size.
  std::uint64_t max_records = 0;
  ReleasedSum sum = ReleasedSum::gradients;
  // Of counts; the dimension is then the number of all their bins.
  std::size_t histograms = 0;
  // Number of the release. Outcomes are simulated afresh for every release.
  std::uint64_t step = 0;
  ClipRule rule = ClipRule::shorten;
  // Allowed only with ClipRule::shorten.
  std::optional<ClipCoordinate> coordinate = std::nullopt;
};

}  // namespace dpvi
