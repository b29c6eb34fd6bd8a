#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <dpvi/privacy/clipped_sum.hpp>
#include <dpvi/privacy/released.hpp>

namespace dpvi {

// Contents of the two types of the privacy boundary. This header is not installed; in the library
// only the clipper and the mechanisms include it.

struct ClippedSum::Storage {
  NoiseGrid grid;
  double clip_bound;
  std::vector<std::int64_t> sums;
};

struct Released::Content {
  // Dequantises by one multiplication with the public constant C / D.
  Content(const ReleaseOrigin& how, const NoiseGrid& grid, std::span<const std::int64_t> sums);
  Content(const ReleaseOrigin& how, std::vector<double> as_they_are);

  ReleaseOrigin origin;
  std::vector<double> values;
};

}  // namespace dpvi
