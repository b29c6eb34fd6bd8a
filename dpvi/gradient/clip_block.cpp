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

// The largest T that is not above an integer bound.
template <class T>
T largest_within(std::int64_t bound) {
  const T nearest = static_cast<T>(bound);
  return static_cast<std::int64_t>(nearest) > bound ? std::nextafter(nearest, T{0}) : nearest;
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

// Lanes whose vector, the clip coordinate included, is longer than the bound.
template <class T>
std::uint32_t lanes_above(const LaneSquares& squares, const BlockRule<T>& block,
                          const ClipTarget& target) {
  const std::uint64_t limit = square_of(target.integer_bound);
  std::uint32_t above = 0;
  for (std::size_t k = 0; k < kClipLanes; ++k) {
    above |= (squares.lane[k] + square_of(block.mark[k]) > limit ? 1u : 0u) << k;
  }
  return above;
}

// Wide enough for the square of any norm here.
using Wide = unsigned __int128;

// One record's integers in a block of them.
class IntegerLane {
 public:
  IntegerLane(std::int32_t* integers, std::size_t lane) : first_(integers + lane) {}

  std::int32_t& operator[](std::size_t row) const { return first_[row * kClipLanes]; }

  Wide square_sum(std::size_t rows) const {
    Wide sum = 0;
    for (std::size_t j = 0; j < rows; ++j) sum += square_of((*this)[j]);
    return sum;
  }

 private:
  std::int32_t* first_;
};

// Shrinks the gradient's integers themselves onto their bound. The extra 2^-40 covers the rounding
// of the factor and of the products, so this cannot fail; the check, over all coordinates, is what
// privacy rests on all the same.
void shrink_lane(const IntegerLane& lane, std::size_t rows, const ClipTarget& target) {
  const double norm = std::sqrt(static_cast<double>(lane.square_sum(rows)));
  const double factor = static_cast<double>(target.gradient_bound()) / norm * (1.0 - 0x1p-40);
  for (std::size_t j = 0; j < rows; ++j) lane[j] = static_cast<std::int32_t>(lane[j] * factor);
  const std::size_t all_rows = rows + (target.marks ? 1 : 0);
  if (lane.square_sum(all_rows) <= square_of(target.integer_bound)) return;
  for (std::size_t j = 0; j < all_rows; ++j) lane[j] = 0;
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
      rows_at_a_time((std::uint64_t{1} << 62) / square_of(target.integer_bound)) {
  // What keeps sums of squares inside 64 bits.
  assert(target.integer_bound >= 1 && target.integer_bound <= std::int64_t{1} << 30);
}

template <class T>
void clip_block(const ClipKernels<T>& kernels, const ClipArithmetic<T>& arithmetic, const T* block,
                std::size_t rows, std::uint32_t active_lanes, std::int32_t* integers) {
  const ClipTarget& target = arithmetic.target;
  BlockRule<T> lanes = block_rule(kernels, arithmetic, block, rows, active_lanes);
  const LaneSquares rounded = kernels.quantise(block, rows, lanes.rule, integers);
  if (target.marks) std::copy_n(lanes.mark, kClipLanes, integers + rows * kClipLanes);
  std::uint32_t above = lanes_above(rounded, lanes, target);
  if (above == 0) return;

  for (std::size_t k = 0; k < kClipLanes; ++k) lanes.rule.keep[k] = (above >> k & 1u) != 0 ? -1 : 0;
  above = lanes_above(kernels.truncate(block, rows, lanes.rule, integers), lanes, target);
  for (std::size_t k = 0; k < kClipLanes; ++k) {
    if ((above >> k & 1u) != 0) shrink_lane(IntegerLane(integers, k), rows, target);
  }
}

template struct ClipArithmetic<float>;
template struct ClipArithmetic<double>;
template void clip_block(const ClipKernels<float>&, const ClipArithmetic<float>&, const float*,
                         std::size_t, std::uint32_t, std::int32_t*);
template void clip_block(const ClipKernels<double>&, const ClipArithmetic<double>&, const double*,
                         std::size_t, std::uint32_t, std::int32_t*);

}  // namespace dpvi
