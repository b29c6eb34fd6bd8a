#pragma once

#include <cstdint>

#include <dpvi/random/internal/gaussian_draw.hpp>

namespace dpvi {

// Returns round(2^kBits * Z). The magnitude has 25 fractional bits, one more than 24, which is
// enough to round to nearest. (A tie has probability zero: the bits that are not drawn are not all
// zero.) Fewer bits give the same sampler a small standard deviation, at which tests can count
// every outcome.
template <int kBits>
std::int64_t round_draw(const GaussianDraw& draw) {
  static_assert(0 <= kBits && kBits < kGaussianFractionBits);
  constexpr int kDropped = kGaussianFractionBits - kBits;
  constexpr std::uint64_t kHalf = std::uint64_t{1} << (kDropped - 1);
  const auto rounded = static_cast<std::int64_t>((draw.magnitude + kHalf) >> kDropped);
  return draw.negative ? -rounded : rounded;
}

}  // namespace dpvi
