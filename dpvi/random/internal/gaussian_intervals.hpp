#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace dpvi {

// Tables of the exact Gaussian sampler (gaussian_draw.hpp). The half line of a standard Gaussian is
// divided into intervals [j/64, (j+1)/64), j < 1024, up to 16 standard deviations.
//
// Every entry is an integer computed by integer arithmetic alone, so the tables are the same on
// every machine. The sampler is exact for any tables with
//   weight[j] >= peak * exp(-(j/64)^2 / 2),
//   surely_below[j] / 2^45 <= peak * exp(-((j+1)/64)^2 / 2) / weight[j],
// and columns that draw j with probability weight[j] / 2^63. How tight the inequalities are changes
// only the speed. Tests check all conditions for all j.
inline constexpr std::size_t kGaussianIntervalCount = 1024;
inline constexpr int kGaussianPositionBits = 19;
inline constexpr int kGaussianHeightBits = 64 - kGaussianPositionBits;
inline constexpr int kGaussianColumnBits = 53;

// One column of an alias table (Walker 1977): 53 random bits below threshold() give the column's
// own index, others give other(). A column is one word, so that the table stays in the L1 cache.
class GaussianColumn {
 public:
  constexpr GaussianColumn() = default;
  constexpr GaussianColumn(std::uint64_t threshold, std::uint64_t other)
      : packed_((threshold << kOtherBits) | other) {}

  constexpr std::uint64_t threshold() const { return packed_ >> kOtherBits; }
  constexpr std::uint64_t other() const { return packed_ & ((1U << kOtherBits) - 1); }

 private:
  static constexpr int kOtherBits = 64 - kGaussianColumnBits;
  std::uint64_t packed_ = 0;
};

struct GaussianIntervals {
  std::uint64_t peak;  // the unit of heights: the density at 0
  std::array<std::uint64_t, kGaussianIntervalCount> weight;
  std::array<std::uint64_t, kGaussianIntervalCount> surely_below;
  std::array<GaussianColumn, kGaussianIntervalCount> columns;
};

extern const GaussianIntervals kGaussianIntervals;

}  // namespace dpvi
