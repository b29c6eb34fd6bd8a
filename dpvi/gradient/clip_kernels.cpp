#include <dpvi/gradient/clip_kernels.hpp>

#include <algorithm>
#include <bit>
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

double power_of_two(std::uint64_t biased_exponent) {
  return std::bit_cast<double>(biased_exponent << 52);
}

void set_multipliers(LaneRule<double>& rule, std::size_t k, double prescale, double factor,
                     double) {
  rule.prescale[k] = prescale;
  rule.factor[k] = factor;
}

void set_multipliers(LaneRule<float>& rule, std::size_t k, double, double factor, double norm) {
  const auto exponent =
      std::clamp(static_cast<std::uint32_t>(std::bit_cast<std::uint64_t>(norm) >> 52),
                 kLeastExponent, kLargestExponent);
  rule.prescale[k] = static_cast<float>(power_of_two(2 * kExponentBias - exponent));
  rule.factor[k] = static_cast<float>(factor * power_of_two(exponent));
}

template <class T>
void baseline_set_lanes(const ClipValues& square_sums, const ClipValues& prescale,
                        const FactorRule& factors, std::uint32_t active_lanes, LaneRule<T>& rule) {
  for (std::size_t k = 0; k < kClipLanes; ++k) {
    const double norm = std::sqrt(square_sums.lane[k]);
    const double floor = factors.floor * prescale.lane[k];
    const double at_bound = factors.bound / (factors.normalise ? norm + floor : norm);
    const double as_is = factors.unclipped / prescale.lane[k];
    const bool stays = !factors.normalise && as_is < at_bound;
    const bool keep = (active_lanes >> k & 1u) != 0 && norm - norm == 0.0;
    const double factor = stays ? as_is : at_bound;
    set_multipliers(rule, k, prescale.lane[k], keep && norm > 0.0 ? factor : 0.0, norm);
    rule.keep[k] = keep ? -1 : 0;
    rule.shortened[k] = stays ? 0 : -1;
  }
}

// Clamps to +-limit. Returns the limit for a NaN, as the vector instructions do.
template <class T>
T within(T value, T limit) {
  const T below = value < limit ? value : limit;
  return below > -limit ? below : -limit;
}

// Writes integer_of(lane, scaled entry, current integer) for every entry.
template <class T, class IntegerOf>
LaneSquares write_integers(const T* block, std::size_t rows, const LaneRule<T>& rule,
                           std::int32_t* integers, IntegerOf integer_of) {
  LaneSquares squares = {};
  for (std::size_t j = 0; j < rows; ++j) {
    for (std::size_t k = 0; k < kClipLanes; ++k) {
      const std::size_t at = j * kClipLanes + k;
      const T scaled = (block[at] * rule.prescale[k]) * rule.factor[k];
      const std::int64_t n = integer_of(k, within(scaled, rule.limit), integers[at]);
      integers[at] = static_cast<std::int32_t>(n);
      const std::uint64_t sum = squares.lane[k] + static_cast<std::uint64_t>(n * n);
      squares.lane[k] = std::min(sum, kManySquares);
    }
  }
  return squares;
}

template <class T>
LaneSquares baseline_quantise(const T* block, std::size_t rows, const LaneRule<T>& rule,
                              std::int32_t* integers) {
  return write_integers(block, rows, rule, integers,
                        [&](std::size_t k, T scaled, std::int32_t) -> std::int64_t {
                          return rule.keep[k] & std::lrint(scaled);
                        });
}

template <class T>
LaneSquares baseline_truncate(const T* block, std::size_t rows, const LaneRule<T>& rule,
                              std::int32_t* integers) {
  return write_integers(block, rows, rule, integers,
                        [&](std::size_t k, T scaled, std::int32_t present) {
                          return rule.keep[k] != 0 ? static_cast<std::int32_t>(scaled) : present;
                        });
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
  static constexpr ClipKernels<T> kKernels{baseline_largest<T>,   baseline_square_sums<T>,
                                           baseline_set_lanes<T>, baseline_quantise<T>,
                                           baseline_truncate<T>,  baseline_add_lanes};
  return kKernels;
}

template <class T>
const ClipKernels<T>& clip_kernels() {
  static const bool kFast = cpu_has_avx2_and_fma();
  return kFast ? avx2_clip_kernels<T>() : baseline_clip_kernels<T>();
}

template const ClipKernels<float>& baseline_clip_kernels<float>();
template const ClipKernels<double>& baseline_clip_kernels<double>();
template const ClipKernels<float>& clip_kernels<float>();
template const ClipKernels<double>& clip_kernels<double>();

}  // namespace dpvi
