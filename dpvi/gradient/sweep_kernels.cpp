#include <dpvi/gradient/sweep_kernels.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <dpvi/base/cpu_features.hpp>
#include <dpvi/gradient/clip_block.hpp>
#include <dpvi/gradient/sweep_pieces_internal.hpp>

namespace dpvi {
namespace {

constexpr std::int64_t kLargestBound = std::int64_t{1} << 26;
constexpr double kSmallestClip = 0x1p-20;
constexpr double kLargestClip = 0x1p40;

// Norm to which longer gradients are scaled, with two margins below the bound. About a millionth of
// the bound covers the error of sums of squares, square root and division in single precision. The
// other margin covers rounding to integers: the mean change of the norm plus five standard
// deviations. On a coarse grid that margin is capped, and clip_block() truncates more records.
double safe_length(const ClipTarget& target) {
  const auto bound = static_cast<double>(target.gradient_bound());
  const double rounding = 1.5 + static_cast<double>(target.dimension) / (24.0 * bound);
  return bound * (1.0 - 0x1p-20) - std::min(rounding, bound / 1024.0);
}

float at_most(double number) {
  const auto nearest = static_cast<float>(number);
  return nearest > number ? std::nextafter(nearest, 0.0F) : nearest;
}

double square_of(std::int64_t number) { return static_cast<double>(number * number); }

template <class T>
T term_of(const ProductRun<T>& run, std::size_t row, std::size_t lane) {
  T term =
      run.columns[static_cast<std::ptrdiff_t>(row) * run.step + static_cast<std::ptrdiff_t>(lane)];
  if (run.centres != nullptr) term -= run.centres[row];
  if (run.scales != nullptr) term *= run.scales[row];
  return term;
}

// Sum of squares of up to kSquaresAtOnce of one lane's terms, starting at `first`.
template <class T>
double squares_of_some(const ProductRun<T>& run, std::size_t first, std::size_t lane) {
  T parts[4] = {};
  const std::size_t end = std::min(run.count, first + kSquaresAtOnce);
  for (std::size_t i = first; i < end; ++i) {
    const T term = term_of(run, i, lane);
    parts[i % 4] += term * term;
  }
  return static_cast<double>((parts[0] + parts[1]) + (parts[2] + parts[3]));
}

// Squared norm of one lane, or NaN if it is not reliable.
template <class T>
double norm_square(const ProductBlock<T>& block, std::size_t lane) {
  double sum = 0.0;
  for_each_piece(block, [&](const ProductRun<T>& run, const T* factors) {
    double squares = factors == nullptr ? sum : 0.0;
    for (std::size_t first = 0; first < run.count; first += kSquaresAtOnce) {
      squares += squares_of_some(run, first, lane);
    }
    if (factors == nullptr) {
      sum = squares;
      return;
    }
    const auto size = static_cast<double>(factors[lane]);
    const bool exact = size * size <= kLargestFactorSquare || squares >= kLeastSquares;
    const double product = (size * size) * squares;
    sum += size == 0.0 ? 0.0 : exact ? product : std::numeric_limits<double>::quiet_NaN();
  });
  return sum;
}

void set_factor(const SweepRule& rule, double norm_square, float share, std::size_t lane,
                SweptLanes& lanes) {
  const float norm = std::sqrt(static_cast<float>(norm_square));
  const float divisor = rule.normalise ? norm + rule.floor : norm;
  const float longest = rule.length * share;
  const auto shorter = static_cast<double>(longest / divisor);
  const double length = static_cast<double>(norm) * rule.unclipped;
  const bool as_is = !rule.normalise && length < static_cast<double>(longest);
  const double bound = rule.bound * static_cast<double>(share);
  lanes.factor[lane] = as_is ? rule.unclipped : shorter;
  lanes.shortened |= (!rule.normalise && length < bound ? 0u : 1u) << lane;
}

// Calls each(row, term, multiplier) for all entries of a lane, except where the multiplier is 0.
template <class T, class Each>
void for_each_entry(const ProductBlock<T>& block, std::size_t lane, double factor,
                    const Each& each) {
  std::size_t row = 0;
  for_each_piece(block, [&](const ProductRun<T>& run, const T* factors) {
    const double of_run = factors == nullptr ? factor : static_cast<double>(factors[lane]) * factor;
    const double multiplier = digits_of<T>(of_run);
    for (std::size_t i = 0; i < run.count && multiplier != 0.0; ++i) {
      each(row + i, static_cast<double>(term_of(run, i, lane)), multiplier);
    }
    row += run.count;
  });
}

// Adds a lane's integers to the sums, or subtracts them if `back`. Returns their sum of squares.
template <class T>
double add_lane(const ProductBlock<T>& block, std::size_t lane, double factor, bool back,
                std::int64_t* sums) {
  double squares = 0.0;
  for_each_entry(block, lane, factor, [&](std::size_t row, double term, double multiplier) {
    const double rounded = term * multiplier + kRounder;
    const auto bits = static_cast<std::uint64_t>(std::bit_cast<std::int64_t>(rounded)) -
                      static_cast<std::uint64_t>(kRounderBits);
    std::int64_t& sum = sums[kSumParts * row + lane % kSumParts];
    const auto before = static_cast<std::uint64_t>(sum);
    sum = static_cast<std::int64_t>(back ? before - bits : before + bits);
    const double n = rounded - kRounder;
    squares += n * n;
  });
  return squares;
}

template <class T>
SweptLanes add_block(const SweepRule& rule, const ProductBlock<T>& block,
                     std::uint32_t active_lanes, std::int64_t* sums) {
  SweptLanes lanes;
  for (std::size_t k = 0; k < kClipLanes; ++k) {
    lanes.factor[k] = 0.0;
    const double square = norm_square(block, k);
    const bool usable = (active_lanes >> k & 1u) != 0 && square <= kLargestNormSquare;
    if (!usable) continue;
    set_factor(rule, square, block.shares->lane[k], k, lanes);
    const bool shortened = (lanes.shortened >> k & 1u) != 0;
    const double limit = shortened ? rule.largest_square_shortened : rule.largest_square;
    lanes.added |= 1u << k;
    const double squares = add_lane(block, k, lanes.factor[k], false, sums);
    lanes.within |= (squares <= limit ? 1u : 0u) << k;
  }
  constexpr std::uint64_t kRounders = kRoundersPerBlock * static_cast<std::uint64_t>(kRounderBits);
  for (std::size_t i = 0; i < kSumParts * block.rows; ++i) {
    sums[i] = static_cast<std::int64_t>(static_cast<std::uint64_t>(sums[i]) + kRounders);
  }
  return lanes;
}

template <class T>
void baseline_add(const SweepRule& rule, std::span<const ProductBlock<T>> blocks,
                  const std::uint32_t* active_lanes, std::int64_t* sums, SweptLanes* lanes) {
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    lanes[b] = add_block(rule, blocks[b], active_lanes[b], sums);
  }
}

}  // namespace

std::optional<SweepRule> sweep_rule(const ClipTarget& target) {
  const bool ordinary = target.integer_bound <= kLargestBound &&
                        target.clip_bound >= kSmallestClip && target.clip_bound <= kLargestClip;
  if (!ordinary) return std::nullopt;
  SweepRule rule{};
  rule.unclipped = static_cast<double>(target.integer_bound) / target.clip_bound;
  rule.bound = static_cast<double>(target.gradient_bound());
  rule.length = at_most(safe_length(target));
  rule.floor = static_cast<float>(kNormaliseFloor * target.clip_bound);
  rule.normalise = target.normalise;
  const double all = square_of(target.integer_bound);
  rule.largest_square = all - (target.marks ? square_of(target.marks->unshortened) : 0.0);
  rule.largest_square_shortened = all - (target.marks ? square_of(target.marks->shortened) : 0.0);
  return rule;
}

template <class T>
void add_within_bound(const SweepKernels<T>& kernels, const SweepRule& rule,
                      std::span<const ProductBlock<T>> blocks, const std::uint32_t* active_lanes,
                      std::int64_t* sums, SweptLanes* lanes) {
  kernels.add(rule, blocks, active_lanes, sums, lanes);
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    const std::uint32_t above = lanes[b].added & ~lanes[b].within;
    for (std::size_t k = 0; k < kClipLanes && above != 0; ++k) {
      if ((above >> k & 1u) != 0) add_lane(blocks[b], k, lanes[b].factor[k], true, sums);
    }
  }
}

template <class T>
const SweepKernels<T>& baseline_sweep_kernels() {
  static constexpr SweepKernels<T> kKernels{baseline_add<T>};
  return kKernels;
}

template <class T>
const SweepKernels<T>& sweep_kernels() {
  static const bool kFast = cpu_has_avx2_and_fma();
  return kFast ? avx2_sweep_kernels<T>() : baseline_sweep_kernels<T>();
}

template void add_within_bound(const SweepKernels<float>&, const SweepRule&,
                               std::span<const ProductBlock<float>>, const std::uint32_t*,
                               std::int64_t*, SweptLanes*);
template void add_within_bound(const SweepKernels<double>&, const SweepRule&,
                               std::span<const ProductBlock<double>>, const std::uint32_t*,
                               std::int64_t*, SweptLanes*);
template const SweepKernels<float>& baseline_sweep_kernels<float>();
template const SweepKernels<double>& baseline_sweep_kernels<double>();
template const SweepKernels<float>& sweep_kernels<float>();
template const SweepKernels<double>& sweep_kernels<double>();

}  // namespace dpvi
