#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <dpvi/privacy/clipped_sum.hpp>
#include <dpvi/privacy/partial_sum.hpp>
#include <dpvi/privacy/released.hpp>

namespace dpvi {

// Contents of the types of the privacy boundary. This header is not installed; in the library only
// the clipper, the collective and the mechanisms include it.

struct GridSum {
  NoiseGrid grid;
  double clip_bound;
  std::vector<std::int64_t> sums;
};

struct PartialSum::Storage : GridSum {};

struct ClippedSum::Storage : GridSum {
  explicit Storage(GridSum&& sum) : GridSum(std::move(sum)) {}
};

struct Released::Content {
  // Dequantises by one multiplication with the public constant C / D.
  Content(const ReleaseOrigin& how, const NoiseGrid& grid, std::span<const std::int64_t> sums);
  Content(const ReleaseOrigin& how, std::vector<double> as_they_are);

  ReleaseOrigin origin;
  std::vector<double> values;
};

}  // namespace dpvi
