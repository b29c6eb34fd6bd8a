#include <dpvi/random/internal/gaussian_intervals.hpp>

namespace dpvi {
namespace {

using Wide = unsigned __int128;
constexpr std::size_t kCount = kGaussianIntervalCount;

// Fixed point with 63 fractional bits, for values in [0, 1].
constexpr std::uint64_t kOne = std::uint64_t{1} << 63;
constexpr std::uint64_t product_down(std::uint64_t a, std::uint64_t b) {
  return static_cast<std::uint64_t>((Wide{a} * b) >> 63);
}
constexpr std::uint64_t product_up(std::uint64_t a, std::uint64_t b) {
  return static_cast<std::uint64_t>((Wide{a} * b + (kOne - 1)) >> 63);
}

// Bounds of exp(-t), t = 2^-13 = (1/64)^2 / 2, from 1 - t + t^2/2 - t^3/6 + t^4/24. The remainder
// lies between -2^-71 and 0.
constexpr std::uint64_t kTaylorHead = kOne - (1ULL << 50) + (1ULL << 36);
constexpr std::uint64_t kFirstRatioDown =
    kTaylorHead - ((1ULL << 24) / 6 + 1) + (1ULL << 11) / 24 - 1;
constexpr std::uint64_t kFirstRatioUp = kTaylorHead - (1ULL << 24) / 6 + ((1ULL << 11) / 24 + 1);

using Densities = std::array<std::uint64_t, kCount + 1>;

// exp(-(j/64)^2 / 2) for j = 0..1024. Each value is the previous one times a ratio, and each ratio
// is the previous one times exp(-2t). `product` rounds in the direction in which the bound must
// err.
constexpr Densities densities(std::uint64_t first_ratio,
                              std::uint64_t (*product)(std::uint64_t, std::uint64_t)) {
  Densities density{};
  density[0] = kOne;
  std::uint64_t ratio = first_ratio;
  const std::uint64_t ratio_of_ratios = product(first_ratio, first_ratio);
  for (std::size_t j = 0; j < kCount; ++j) {
    density[j + 1] = product(density[j], ratio);
    ratio = product(ratio, ratio_of_ratios);
  }
  return density;
}

constexpr void set_weights(GaussianIntervals& intervals) {
  const Densities above = densities(kFirstRatioUp, product_up);
  const Densities below = densities(kFirstRatioDown, product_down);
  Wide sum = 0;
  for (std::size_t j = 0; j < kCount; ++j) sum += above[j];
  // The largest unit for which the weights, each rounded up, still sum to at most 2^63.
  intervals.peak = static_cast<std::uint64_t>((Wide{kOne} * kOne - Wide{kOne} * kCount) / sum);
  std::uint64_t left = kOne;
  for (std::size_t j = 0; j < kCount; ++j) {
    intervals.weight[j] = product_up(intervals.peak, above[j]);
    left -= intervals.weight[j];
  }
  // The last interval takes the remainder. A proposal 16 standard deviations out is practically
  // always rejected.
  intervals.weight[kCount - 1] += left;
  for (std::size_t j = 0; j < kCount; ++j) {
    const Wide lowest = product_down(intervals.peak, below[j + 1]);
    intervals.surely_below[j] =
        static_cast<std::uint64_t>((lowest << kGaussianHeightBits) / intervals.weight[j]);
  }
}

// Vose's construction (1991) in integers: columns of equal capacity, each filled up by one other
// interval.
constexpr void set_columns(GaussianIntervals& intervals) {
  constexpr std::uint64_t kCapacity = std::uint64_t{1} << kGaussianColumnBits;
  std::array<std::uint64_t, kCount> left = intervals.weight;
  std::array<std::size_t, kCount> small{};
  std::array<std::size_t, kCount> large{};
  std::size_t small_count = 0;
  std::size_t large_count = 0;
  for (std::size_t j = 0; j < kCount; ++j) {
    if (left[j] < kCapacity) {
      small[small_count++] = j;
    } else {
      large[large_count++] = j;
    }
  }
  // The weights sum to exactly kCount capacities, so small ones run out no later than large ones.
  while (small_count > 0) {
    const std::size_t own = small[--small_count];
    const std::size_t other = large[large_count - 1];
    intervals.columns[own] = {left[own], other};
    left[other] -= kCapacity - left[own];
    if (left[other] < kCapacity) {
      --large_count;
      small[small_count++] = other;
    }
  }
  while (large_count > 0) {
    const std::size_t own = large[--large_count];
    intervals.columns[own] = {0, own};
  }
}

constexpr GaussianIntervals make_intervals() {
  GaussianIntervals intervals{};
  set_weights(intervals);
  set_columns(intervals);
  return intervals;
}

}  // namespace

constexpr GaussianIntervals kGaussianIntervals = make_intervals();

}  // namespace dpvi
