#include <dpvi/gradient/clip_block.hpp>

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <type_traits>

namespace dpvi {
namespace {

constexpr std::uint64_t kExponentBias = 1023;

double power_of_two(std::uint64_t biased_exponent) {
  return std::bit_cast<double>(biased_exponent << 52);
}

std::uint64_t biased_exponent(double value) { return std::bit_cast<std::uint64_t>(value) >> 52; }

// Power of two that brings a lane's largest entry near 1, kept a normal number, so that squares
// neither overflow nor vanish.
double prescale_of(double largest) {
  const std::uint64_t exponent = biased_exponent(largest);
  return power_of_two(exponent >= 2 * kExponentBias ? 1 : 2 * kExponentBias - exponent);
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

// What prescaled entries are multiplied by, and which lanes are shortened by it.
struct LaneFactors {
  ClipValues factor;
  bool shortened[kClipLanes];
};

// min(1, C / norm) * D / C, in which the room stands for D where a gradient is shortened; or the
// room divided by norm and floor.
template <class T>
LaneFactors lane_factors(const ClipArithmetic<T>& arithmetic, const ClipValues& prescale,
                         const ClipValues& norms) {
  LaneFactors result;
  if (arithmetic.target.normalise) {
    for (std::size_t k = 0; k < kClipLanes; ++k) {
      const double floor = arithmetic.floor * prescale.lane[k];
      result.factor.lane[k] = arithmetic.room / (norms.lane[k] + floor);
      result.shortened[k] = false;
    }
    return result;
  }
  for (std::size_t k = 0; k < kClipLanes; ++k) {
    const double at_bound = arithmetic.room / norms.lane[k];
    double as_is = arithmetic.unclipped;
    if constexpr (std::is_same_v<T, double>) as_is /= prescale.lane[k];
    const bool stays = as_is < at_bound;
    result.factor.lane[k] = stays ? as_is : at_bound;
    result.shortened[k] = !stays;
  }
  return result;
}

// What the lanes of a block become: their gradients by `rule`, their clip coordinates as they are.
template <class T>
struct BlockRule {
  LaneRule<T> rule;
  std::int32_t mark[kClipLanes] = {};
};

// Sets the rule's multipliers of one lane to prescale and factor. In single precision a factor may
// be out of range: then a power of two, taken from the norm, moves from one to the other.
void set_multipliers(LaneRule<double>& rule, std::size_t k, double prescale, double factor,
                     double) {
  rule.prescale[k] = prescale;
  rule.factor[k] = factor;
}

void set_multipliers(LaneRule<float>& rule, std::size_t k, double, double factor, double norm) {
  constexpr std::uint64_t kRange = 126;
  const std::uint64_t exponent =
      std::clamp(biased_exponent(norm), kExponentBias - kRange, kExponentBias + kRange);
  rule.prescale[k] = static_cast<float>(power_of_two(2 * kExponentBias - exponent));
  rule.factor[k] = static_cast<float>(factor * power_of_two(exponent));
}

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

template <class T>
BlockRule<T> block_rule(const ClipKernels<T>& kernels, const ClipArithmetic<T>& arithmetic,
                        const T* block, std::size_t rows, std::uint32_t active_lanes) {
  const ClipValues prescale = prescales(kernels, block, rows);
  ClipValues norms = kernels.square_sums(block, rows, prescale);
  for (double& norm : norms.lane) norm = std::sqrt(norm);
  const LaneFactors factors = lane_factors(arithmetic, prescale, norms);
  BlockRule<T> result;
  result.rule.limit = arithmetic.limit;
  result.rule.rows_at_a_time = arithmetic.rows_at_a_time;
  for (std::size_t k = 0; k < kClipLanes; ++k) {
    // A norm that is not finite shows an entry that is not.
    const bool keep = (active_lanes >> k & 1u) != 0 && norms.lane[k] - norms.lane[k] == 0.0;
    const double factor = norms.lane[k] > 0.0 && keep ? factors.factor.lane[k] : 0.0;
    set_multipliers(result.rule, k, prescale.lane[k], factor, norms.lane[k]);
    result.rule.keep[k] = keep ? -1 : 0;
  }
  if (!arithmetic.target.marks) return result;
  const ClipMarks& marks = *arithmetic.target.marks;
  for (std::size_t k = 0; k < kClipLanes; ++k) {
    const std::int32_t mark = factors.shortened[k] ? marks.shortened : marks.unshortened;
    result.mark[k] = mark & result.rule.keep[k];
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
      unclipped(static_cast<double>(target.integer_bound) / target.clip_bound),
      room(room_within<T>(target)),
      floor(kNormaliseFloor * target.clip_bound),
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
