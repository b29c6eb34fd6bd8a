#include <dpvi/gradient/clip_block.hpp>

#include <bit>
#include <cassert>
#include <cmath>
#include <type_traits>

#include <dpvi/gradient/lane_bound.hpp>

namespace dpvi {
namespace {

// Returns a power of two that brings a lane's largest entry near 1, so that squares neither
// overflow nor underflow. The result is always a normal number.
double prescale_of(double largest) {
  const std::uint64_t exponent = std::bit_cast<std::uint64_t>(largest) >> 52;
  const std::uint64_t inverse = exponent >= 2 * kExponentBias ? 1 : 2 * kExponentBias - exponent;
  return std::bit_cast<double>(inverse << 52);
}

template <class T>
ClipValues prescales(const ClipKernels<T>& kernels, const T* block, std::size_t rows) {
  ClipValues result;
  if constexpr (std::is_same_v<T, double>) {
    result = kernels.largest(block, rows);
    for (double& value : result.lane) value = prescale_of(value);
  } else {
    // The square of a float, and any sum of such squares, fits in a double.
    for (double& value : result.lane) value = 1.0;
  }
  return result;
}

// The largest T that does not exceed an integer bound.
template <class T>
T largest_within(std::int64_t bound) {
  const T nearest = static_cast<T>(bound);
  return static_cast<std::int64_t>(nearest) > bound ? std::nextafter(nearest, T{0}) : nearest;
}

template <class T>
void copy_lane(const LaneRule<T>& from, std::size_t k, LaneRule<T>& to) {
  to.prescale[k] = from.prescale[k];
  to.factor[k] = from.factor[k];
  to.keep[k] = from.keep[k];
  to.shortened[k] = from.shortened[k];
}

template <class T>
LaneRule<T> lane_rule(const ClipKernels<T>& kernels, const ClipArithmetic<T>& arithmetic,
                      const ProductBlock<T>& block, std::uint32_t active_lanes) {
  const ClipValues prescale = prescales(kernels, block.all_rows, block.rows);
  const ClipValues square_sums = kernels.square_sums(block.all_rows, block.rows, prescale);
  LaneRule<T> rule;
  rule.limit = arithmetic.limit;
  rule.rows_at_a_time = arithmetic.rows_at_a_time;
  kernels.set_lanes(square_sums, prescale, arithmetic.factors, active_lanes, rule);
  for (std::size_t k = 0; k < kClipLanes; ++k) {
    if (block.shares->lane[k] == 1.0F) continue;
    FactorRule factors = arithmetic.factors;
    factors.bound *= static_cast<double>(block.shares->lane[k]);
    LaneRule<T> shared = rule;
    kernels.set_lanes(square_sums, prescale, factors, active_lanes, shared);
    copy_lane(shared, k, rule);
  }
  return rule;
}

}  // namespace

template <class T>
ClipArithmetic<T>::ClipArithmetic(const ClipTarget& clip_target)
    : target(clip_target),
      factors{.unclipped = static_cast<double>(target.integer_bound) / target.clip_bound,
              .bound = static_cast<double>(target.gradient_bound()),
              .floor = kNormaliseFloor * target.clip_bound,
              .normalise = target.normalise},
      limit(largest_within<T>(target.integer_bound)),
      rows_at_a_time((std::uint64_t{1} << 62) /
                     static_cast<std::uint64_t>(target.integer_bound * target.integer_bound)) {
  // This range keeps sums of squares within 64 bits.
  assert(target.integer_bound >= 1 && target.integer_bound <= std::int64_t{1} << 30);
}

template <class T>
void clip_block(const ClipKernels<T>& kernels, const ClipArithmetic<T>& arithmetic,
                const ProductBlock<T>& block, std::uint32_t active_lanes, std::int32_t* integers) {
  const T* entries = block.all_rows;
  const std::size_t rows = block.rows;
  LaneRule<T> rule = lane_rule(kernels, arithmetic, block, active_lanes);
  LaneBound bound(arithmetic.target, rule.shortened, rule.keep);
  bound.write_marks(integers + rows * kClipLanes);
  const std::uint32_t above = bound.lanes_above(kernels.quantise(entries, rows, rule, integers));
  if (above == 0) return;
  keep_only(above, rule.keep);
  bound.shrink(bound.lanes_above(kernels.truncate(entries, rows, rule, integers)), integers, rows);
}

template struct ClipArithmetic<float>;
template struct ClipArithmetic<double>;
template void clip_block(const ClipKernels<float>&, const ClipArithmetic<float>&,
                         const ProductBlock<float>&, std::uint32_t, std::int32_t*);
template void clip_block(const ClipKernels<double>&, const ClipArithmetic<double>&,
                         const ProductBlock<double>&, std::uint32_t, std::int32_t*);

}  // namespace dpvi
