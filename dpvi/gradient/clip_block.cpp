#include <dpvi/gradient/clip_block.hpp>

#include <bit>
#include <cmath>
#include <type_traits>

namespace dpvi {
namespace {

// Wide enough for the square of any norm here.
using Wide = unsigned __int128;

// Power of two that brings a lane's largest entry near 1, kept a normal number, so that squares
// neither overflow nor vanish.
double prescale_of(double largest) {
  const std::uint64_t exponent = std::bit_cast<std::uint64_t>(largest) >> 52;
  const std::uint64_t inverse = exponent >= 2046 ? 1 : 2046 - exponent;
  return std::bit_cast<double>(inverse << 52);
}

template <class T>
LaneValues prescales(const ClipKernels<T>& kernels, const T* block, std::size_t dimension) {
  LaneValues result;
  if constexpr (std::is_same_v<T, double>) {
    result = kernels.largest(block, dimension);
    for (double& value : result.lane) value = prescale_of(value);
  } else {
    // The square of a float, and any sum of such squares, fits a double.
    for (double& value : result.lane) value = 1.0;
  }
  return result;
}

// min(1, C / norm) * D / C for entries that have been prescaled.
LaneValues lane_factors(const ClipTarget& target, const LaneValues& prescale,
                        const LaneValues& square_sums) {
  const double bound = static_cast<double>(target.integer_bound);
  const double unclipped = bound / target.clip_bound;
  LaneValues factor;
  for (std::size_t k = 0; k < kClipLanes; ++k) {
    const double at_bound = bound / std::sqrt(square_sums.lane[k]);
    const double as_is = unclipped / prescale.lane[k];
    factor.lane[k] = as_is < at_bound ? as_is : at_bound;
  }
  return factor;
}

// Rounds to nearest. A square sum that is not finite shows an entry that is not.
template <class T>
LaneRule first_rule(const ClipKernels<T>& kernels, const ClipTarget& target, const T* block,
                    std::uint32_t active_lanes) {
  LaneRule rule;
  rule.prescale = prescales(kernels, block, target.dimension);
  const LaneValues squares = kernels.square_sums(block, target.dimension, rule.prescale);
  rule.factor = lane_factors(target, rule.prescale, squares);
  for (std::size_t k = 0; k < kClipLanes; ++k) {
    const bool keep = (active_lanes >> k & 1u) != 0 && std::isfinite(squares.lane[k]);
    if (!keep) rule.factor.lane[k] = 0.0;
    rule.half.lane[k] = 0.5;
    rule.keep[k] = keep ? -1 : 0;
  }
  return rule;
}

std::uint32_t lanes_above(const LaneSquares& squares, Wide limit) {
  std::uint32_t above = 0;
  for (std::size_t k = 0; k < kClipLanes; ++k) {
    const Wide sum = (Wide{squares.high[k]} << 32) + squares.low[k];
    if (sum > limit) above |= 1u << k;
  }
  return above;
}

Wide lane_square_sum(const std::int32_t* lane, std::size_t dimension) {
  Wide sum = 0;
  for (std::size_t j = 0; j < dimension; ++j) {
    const std::int64_t n = lane[j * kClipLanes];
    sum += static_cast<std::uint64_t>(n * n);
  }
  return sum;
}

// Shrinks the integers themselves onto the bound. The extra 2^-40 covers the rounding of the
// factor and of the products, so this cannot fail; the check is what privacy rests on all the same.
void shrink_lane(std::int32_t* lane, const ClipTarget& target, Wide limit) {
  const double norm = std::sqrt(static_cast<double>(lane_square_sum(lane, target.dimension)));
  const double factor = static_cast<double>(target.integer_bound) / norm * (1.0 - 0x1p-40);
  for (std::size_t j = 0; j < target.dimension; ++j) {
    std::int32_t& n = lane[j * kClipLanes];
    n = static_cast<std::int32_t>(n * factor);
  }
  if (lane_square_sum(lane, target.dimension) <= limit) return;
  for (std::size_t j = 0; j < target.dimension; ++j) lane[j * kClipLanes] = 0;
}

}  // namespace

template <class T>
void clip_block(const ClipKernels<T>& kernels, const ClipTarget& target, const T* block,
                std::uint32_t active_lanes, std::int32_t* integers) {
  const Wide limit = Wide(target.integer_bound) * Wide(target.integer_bound);
  LaneRule rule = first_rule(kernels, target, block, active_lanes);
  std::uint32_t above =
      lanes_above(kernels.quantise(block, target.dimension, rule, integers), limit);
  if (above == 0) return;

  // The lanes that passed are rounded again to the integers they have.
  for (std::size_t k = 0; k < kClipLanes; ++k) {
    if ((above >> k & 1u) != 0) rule.half.lane[k] = 0.0;
  }
  above = lanes_above(kernels.quantise(block, target.dimension, rule, integers), limit);
  for (std::size_t k = 0; k < kClipLanes; ++k) {
    if ((above >> k & 1u) != 0) shrink_lane(integers + k, target, limit);
  }
}

template void clip_block(const ClipKernels<float>&, const ClipTarget&, const float*, std::uint32_t,
                         std::int32_t*);
template void clip_block(const ClipKernels<double>&, const ClipTarget&, const double*,
                         std::uint32_t, std::int32_t*);

}  // namespace dpvi
