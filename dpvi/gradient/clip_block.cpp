#include <dpvi/gradient/clip_block.hpp>

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <type_traits>

namespace dpvi {
namespace {

// Power of two that brings a lane's largest entry near 1, kept a normal number, so that squares
// neither overflow nor vanish.
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
    // The square of a float, and any sum of such squares, fits a double.
    for (double& value : result.lane) value = 1.0;
  }
  return result;
}

// Beside C, so that a gradient of any length is divided by something. A hundredth, as in
// "automatic clipping" (Bu et al. 2023).
constexpr double kNormaliseFloor = 0.01;

// How far rounding to T can lengthen a gradient on its way to integers: the factor and the product
// are rounded once each, by half a unit in the last place.
template <class T>
constexpr double kRoundingLoss = std::is_same_v<T, double> ? 0x1p-40 : 0x1p-22;

// The largest T that is not above an integer bound.
template <class T>
T largest_within(std::int64_t bound) {
  const T nearest = static_cast<T>(bound);
  return static_cast<std::int64_t>(nearest) > bound ? std::nextafter(nearest, T{0}) : nearest;
}

template <class T>
double room_within(const ClipTarget& target) {
  const double steps = 0.5 * std::sqrt(static_cast<double>(target.dimension));
  const double bound = static_cast<double>(target.gradient_bound()) * (1.0 - kRoundingLoss<T>);
  return std::max(0.0, bound - steps);
}

// What the lanes of a block become: their gradients by `rule`, their clip coordinates as they are.
template <class T>
struct BlockRule {
  LaneRule<T> rule;
  std::int32_t mark[kClipLanes] = {};
};

template <class T>
BlockRule<T> block_rule(const ClipKernels<T>& kernels, const ClipArithmetic<T>& arithmetic,
                        const T* block, std::size_t rows, std::uint32_t active_lanes) {
  const ClipValues prescale = prescales(kernels, block, rows);
  const ClipValues square_sums = kernels.square_sums(block, rows, prescale);
  BlockRule<T> result;
  result.rule.limit = arithmetic.limit;
  result.rule.rows_at_a_time = arithmetic.rows_at_a_time;
  kernels.set_lanes(square_sums, prescale, arithmetic.factors, active_lanes, result.rule);
  if (!arithmetic.target.marks) return result;
  const ClipMarks& marks = *arithmetic.target.marks;
  for (std::size_t k = 0; k < kClipLanes; ++k) {
    const bool shortened = result.rule.shortened[k] != 0;
    result.mark[k] = (shortened ? marks.shortened : marks.unshortened) & result.rule.keep[k];
  }
  return result;
}

std::uint64_t square_of(std::int64_t value) { return static_cast<std::uint64_t>(value * value); }

// Makes lanes zero whose vector, the clip coordinate included, is longer than the bound.
template <class T>
void check_lanes(const LaneSquares& squares, const BlockRule<T>& block, const ClipTarget& target,
                 std::size_t rows, std::int32_t* integers) {
  const std::uint64_t limit = square_of(target.integer_bound);
  std::uint64_t above = 0;
  for (std::size_t k = 0; k < kClipLanes; ++k) {
    above += squares.lane[k] + square_of(block.mark[k]) > limit ? 1 : 0;
  }
  if (above == 0) return;
  for (std::size_t k = 0; k < kClipLanes; ++k) {
    if (squares.lane[k] + square_of(block.mark[k]) <= limit) continue;
    for (std::size_t j = 0; j < rows + (target.marks ? 1 : 0); ++j)
      integers[j * kClipLanes + k] = 0;
  }
}

}  // namespace

template <class T>
ClipArithmetic<T>::ClipArithmetic(const ClipTarget& clip_target)
    : target(clip_target),
      factors{.unclipped = static_cast<double>(target.integer_bound) / target.clip_bound,
              .room = room_within<T>(target),
              .floor = kNormaliseFloor * target.clip_bound,
              .normalise = target.normalise},
      limit(largest_within<T>(target.integer_bound)),
      rows_at_a_time((std::uint64_t{1} << 62) / square_of(target.integer_bound)) {
  // What keeps sums of squares inside 64 bits.
  assert(target.integer_bound >= 1 && target.integer_bound <= std::int64_t{1} << 30);
}

template <class T>
void clip_block(const ClipKernels<T>& kernels, const ClipArithmetic<T>& arithmetic, const T* block,
                std::size_t rows, std::uint32_t active_lanes, std::int32_t* integers) {
  const BlockRule<T> lanes = block_rule(kernels, arithmetic, block, rows, active_lanes);
  const LaneSquares squares = kernels.quantise(block, rows, lanes.rule, integers);
  if (arithmetic.target.marks) std::copy_n(lanes.mark, kClipLanes, integers + rows * kClipLanes);
  // The room leaves nothing to find here. Privacy rests on this check all the same.
  check_lanes(squares, lanes, arithmetic.target, rows, integers);
}

template struct ClipArithmetic<float>;
template struct ClipArithmetic<double>;
template void clip_block(const ClipKernels<float>&, const ClipArithmetic<float>&, const float*,
                         std::size_t, std::uint32_t, std::int32_t*);
template void clip_block(const ClipKernels<double>&, const ClipArithmetic<double>&, const double*,
                         std::size_t, std::uint32_t, std::int32_t*);

}  // namespace dpvi
