#include <dpvi/gradient/clip_block.hpp>

#include <algorithm>
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

// Beside C, so that a gradient of any length is divided by something. A hundredth, as in
// "automatic clipping" (Bu et al. 2023).
constexpr double kNormaliseFloor = 0.01;

// What prescaled entries are multiplied by, and which lanes are shortened by it.
struct LaneFactors {
  LaneValues factor;
  std::uint32_t shortened = 0;
};

// min(1, C / norm) * D / C, in which the gradient's share of D stands for D where there is a clip
// coordinate.
LaneFactors shortening_factors(const ClipTarget& target, const LaneValues& prescale,
                               const LaneValues& square_sums) {
  const double unclipped = static_cast<double>(target.integer_bound) / target.clip_bound;
  const double bound = static_cast<double>(target.gradient_bound());
  LaneFactors result;
  for (std::size_t k = 0; k < kClipLanes; ++k) {
    const double at_bound = bound / std::sqrt(square_sums.lane[k]);
    const double as_is = unclipped / prescale.lane[k];
    const bool stays = as_is < at_bound;
    result.factor.lane[k] = stays ? as_is : at_bound;
    result.shortened |= (stays ? 0u : 1u) << k;
  }
  return result;
}

LaneFactors normalising_factors(const ClipTarget& target, const LaneValues& prescale,
                                const LaneValues& square_sums) {
  const double bound = static_cast<double>(target.integer_bound);
  LaneFactors result;
  for (std::size_t k = 0; k < kClipLanes; ++k) {
    const double floor = kNormaliseFloor * target.clip_bound * prescale.lane[k];
    result.factor.lane[k] = bound / (std::sqrt(square_sums.lane[k]) + floor);
  }
  return result;
}

// A square sum that is not finite shows an entry that is not.
std::uint32_t finite_lanes(const LaneValues& square_sums) {
  std::uint32_t finite = 0;
  for (std::size_t k = 0; k < kClipLanes; ++k) {
    finite |= (std::isfinite(square_sums.lane[k]) ? 1u : 0u) << k;
  }
  return finite;
}

// What the lanes of a block become: their gradients by `rule`, their clip coordinates as they are.
struct BlockRule {
  LaneRule rule;  // rounds to nearest
  std::int32_t mark[kClipLanes] = {};
};

template <class T>
BlockRule block_rule(const ClipKernels<T>& kernels, const ClipTarget& target, const T* block,
                     std::uint32_t active_lanes) {
  BlockRule result;
  LaneRule& rule = result.rule;
  rule.prescale = prescales(kernels, block, target.dimension);
  const LaneValues squares = kernels.square_sums(block, target.dimension, rule.prescale);
  const LaneFactors factors = target.normalise ? normalising_factors(target, rule.prescale, squares)
                                               : shortening_factors(target, rule.prescale, squares);
  const std::uint32_t kept = active_lanes & finite_lanes(squares);
  for (std::size_t k = 0; k < kClipLanes; ++k) {
    const bool keep = (kept >> k & 1u) != 0;
    rule.factor.lane[k] = keep ? factors.factor.lane[k] : 0.0;
    rule.half.lane[k] = 0.5;
    rule.keep[k] = keep ? -1 : 0;
    if (!keep || !target.marks) continue;
    const bool shortened = (factors.shortened >> k & 1u) != 0;
    result.mark[k] = shortened ? target.marks->shortened : target.marks->unshortened;
  }
  return result;
}

Wide square_of(std::int64_t value) { return static_cast<Wide>(value * value); }

// Lanes whose vector, the clip coordinate included, is longer than the bound.
std::uint32_t lanes_above(const LaneSquares& squares, const BlockRule& block, Wide limit) {
  std::uint32_t above = 0;
  for (std::size_t k = 0; k < kClipLanes; ++k) {
    const Wide sum = (Wide{squares.high[k]} << 32) + squares.low[k] + square_of(block.mark[k]);
    if (sum > limit) above |= 1u << k;
  }
  return above;
}

Wide lane_square_sum(const std::int32_t* lane, std::size_t coordinates) {
  Wide sum = 0;
  for (std::size_t j = 0; j < coordinates; ++j) sum += square_of(lane[j * kClipLanes]);
  return sum;
}

// Shrinks the gradient's integers themselves onto their bound. The extra 2^-40 covers the rounding
// of the factor and of the products, so this cannot fail; the check, over all coordinates, is what
// privacy rests on all the same.
void shrink_lane(std::int32_t* lane, const ClipTarget& target, Wide limit) {
  const double norm = std::sqrt(static_cast<double>(lane_square_sum(lane, target.dimension)));
  const double factor = static_cast<double>(target.gradient_bound()) / norm * (1.0 - 0x1p-40);
  for (std::size_t j = 0; j < target.dimension; ++j) {
    std::int32_t& n = lane[j * kClipLanes];
    n = static_cast<std::int32_t>(n * factor);
  }
  if (lane_square_sum(lane, target.width()) <= limit) return;
  for (std::size_t j = 0; j < target.width(); ++j) lane[j * kClipLanes] = 0;
}

void write_marks(const ClipTarget& target, const BlockRule& block, std::int32_t* integers) {
  if (!target.marks) return;
  std::copy_n(block.mark, kClipLanes, integers + target.dimension * kClipLanes);
}

}  // namespace

template <class T>
void clip_block(const ClipKernels<T>& kernels, const ClipTarget& target, const T* block,
                std::uint32_t active_lanes, std::int32_t* integers) {
  const Wide limit = square_of(target.integer_bound);
  BlockRule lanes = block_rule(kernels, target, block, active_lanes);
  write_marks(target, lanes, integers);
  std::uint32_t above =
      lanes_above(kernels.quantise(block, target.dimension, lanes.rule, integers), lanes, limit);
  if (above == 0) return;

  // The lanes that passed are rounded again to the integers they have.
  for (std::size_t k = 0; k < kClipLanes; ++k) {
    if ((above >> k & 1u) != 0) lanes.rule.half.lane[k] = 0.0;
  }
  above =
      lanes_above(kernels.quantise(block, target.dimension, lanes.rule, integers), lanes, limit);
  for (std::size_t k = 0; k < kClipLanes; ++k) {
    if ((above >> k & 1u) != 0) shrink_lane(integers + k, target, limit);
  }
}

template void clip_block(const ClipKernels<float>&, const ClipTarget&, const float*, std::uint32_t,
                         std::int32_t*);
template void clip_block(const ClipKernels<double>&, const ClipTarget&, const double*,
                         std::uint32_t, std::int32_t*);

}  // namespace dpvi
