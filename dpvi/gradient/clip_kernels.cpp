#include <dpvi/gradient/clip_kernels.hpp>

#include <cmath>

#include <dpvi/base/cpu_features.hpp>

namespace dpvi {
namespace {

template <class T>
LaneValues baseline_largest(const T* block, std::size_t dimension) {
  LaneValues largest = {};
  for (std::size_t j = 0; j < dimension; ++j) {
    for (std::size_t k = 0; k < kClipLanes; ++k) {
      const double size = std::fabs(static_cast<double>(block[j * kClipLanes + k]));
      largest.lane[k] = size > largest.lane[k] ? size : largest.lane[k];
    }
  }
  return largest;
}

template <class T>
LaneValues baseline_square_sums(const T* block, std::size_t dimension, const LaneValues& prescale) {
  LaneValues sums = {};
  for (std::size_t j = 0; j < dimension; ++j) {
    for (std::size_t k = 0; k < kClipLanes; ++k) {
      const double entry = static_cast<double>(block[j * kClipLanes + k]) * prescale.lane[k];
      sums.lane[k] += entry * entry;
    }
  }
  return sums;
}

template <class T>
LaneSquares baseline_quantise(const T* block, std::size_t dimension, const LaneRule& rule,
                              std::int32_t* integers) {
  LaneSquares total = {};
  for (std::size_t j = 0; j < dimension; ++j) {
    for (std::size_t k = 0; k < kClipLanes; ++k) {
      const double entry = rule.keep[k] != 0 ? static_cast<double>(block[j * kClipLanes + k]) : 0.0;
      const double scaled = (entry * rule.prescale.lane[k]) * rule.factor.lane[k];
      const auto n = static_cast<std::int32_t>(scaled + std::copysign(rule.half.lane[k], scaled));
      const auto square = static_cast<std::uint64_t>(std::int64_t{n} * n);
      integers[j * kClipLanes + k] = n;
      total.low[k] += square & 0xffffffffu;
      total.high[k] += square >> 32;
    }
  }
  return total;
}

void baseline_add_lanes(const std::int32_t* integers, std::size_t dimension, std::int64_t* sums) {
  for (std::size_t j = 0; j < dimension; ++j) {
    std::int64_t sum = 0;
    for (std::size_t k = 0; k < kClipLanes; ++k) sum += integers[j * kClipLanes + k];
    sums[j] += sum;
  }
}

}  // namespace

template <class T>
const ClipKernels<T>& baseline_clip_kernels() {
  static constexpr ClipKernels<T> kernels{baseline_largest<T>, baseline_square_sums<T>,
                                          baseline_quantise<T>, baseline_add_lanes};
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
