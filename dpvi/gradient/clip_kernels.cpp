#include <dpvi/gradient/clip_kernels.hpp>

#include <algorithm>
#include <cmath>

#include <dpvi/base/cpu_features.hpp>

namespace dpvi {
namespace {

template <class T>
ClipValues baseline_largest(const T* block, std::size_t rows) {
  ClipValues largest = {};
  for (std::size_t j = 0; j < rows; ++j) {
    for (std::size_t k = 0; k < kClipLanes; ++k) {
      const double size = std::fabs(static_cast<double>(block[j * kClipLanes + k]));
      largest.lane[k] = size > largest.lane[k] ? size : largest.lane[k];
    }
  }
  return largest;
}

template <class T>
ClipValues baseline_square_sums(const T* block, std::size_t rows, const ClipValues& prescale) {
  ClipValues sums[2] = {};
  for (std::size_t j = 0; j < rows; ++j) {
    for (std::size_t k = 0; k < kClipLanes; ++k) {
      const double entry = static_cast<double>(block[j * kClipLanes + k]) * prescale.lane[k];
      sums[j % 2].lane[k] += entry * entry;
    }
  }
  for (std::size_t k = 0; k < kClipLanes; ++k) sums[0].lane[k] += sums[1].lane[k];
  return sums[0];
}

// The limit for a NaN, as the vector instructions give.
template <class T>
T within(T value, T limit) {
  const T below = value < limit ? value : limit;
  return below > -limit ? below : -limit;
}

template <class T>
LaneSquares baseline_quantise(const T* block, std::size_t rows, const LaneRule<T>& rule,
                              std::int32_t* integers) {
  LaneSquares squares = {};
  for (std::size_t j = 0; j < rows; ++j) {
    for (std::size_t k = 0; k < kClipLanes; ++k) {
      const std::size_t at = j * kClipLanes + k;
      const T scaled = (block[at] * rule.prescale[k]) * rule.factor[k];
      const auto n = static_cast<std::int64_t>(std::lrint(within(scaled, rule.limit)));
      integers[at] = static_cast<std::int32_t>(n) & rule.keep[k];
      const std::uint64_t sum =
          squares.lane[k] + (rule.keep[k] != 0 ? static_cast<std::uint64_t>(n * n) : 0);
      squares.lane[k] = std::min(sum, kManySquares);
    }
  }
  return squares;
}

void baseline_add_lanes(const std::int32_t* integers, std::size_t rows, std::int64_t* sums) {
  for (std::size_t j = 0; j < rows; ++j) {
    std::int64_t sum = 0;
    for (std::size_t k = 0; k < kClipLanes; ++k) sum += integers[j * kClipLanes + k];
    sums[j] += sum;
  }
}

}  // namespace

template <class T>
const ClipKernels<T>& baseline_clip_kernels() {
  static constexpr ClipKernels<T> kernels{baseline_largest<T>, baseline_square_sums<T>,
                                          baseline_quantise<T>, baseline_add_lanes,
                                          baseline_add_lanes};
  return kernels;
}

template <class T>
const ClipKernels<T>& clip_kernels() {
  static const bool fast = cpu_has_avx2_and_fma();
  return fast ? avx2_clip_kernels<T>() : baseline_clip_kernels<T>();
}

template const ClipKernels<float>& baseline_clip_kernels<float>();
template const ClipKernels<double>& baseline_clip_kernels<double>();
template const ClipKernels<float>& clip_kernels<float>();
template const ClipKernels<double>& clip_kernels<double>();

}  // namespace dpvi
