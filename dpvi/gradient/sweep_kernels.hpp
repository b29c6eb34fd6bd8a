#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include <dpvi/gradient/clip_target.hpp>
#include <dpvi/gradient/product_run.hpp>

// Clipping in one sweep: a block's integers are checked and added up without being stored, and
// products without being written out. It serves ordinary records and ordinary settings; the others
// are left to clip_block().
//
// The integers are whole numbers in doubles. Up to 2^53 those are exact, and so are their products
// and sums; beyond, a sum of squares is rounded but does not shrink. So a sum of squares that is at
// most D^2 <= 2^52 has not been rounded once on its way, and comparing it with D^2 is the exact
// integer check.

namespace dpvi {

// Added to a number below 2^51, this rounds it to the nearest whole number n, ties to even, and
// leaves n in the lower digits: the sum's bits, taken as an integer, are those of this plus n.
inline constexpr double kRounder = 0x1.8p52;
inline constexpr std::int64_t kRounderBits = std::bit_cast<std::int64_t>(kRounder);

// What follows from a target once and for all blocks.
struct SweepRule {
  double unclipped;  // D / C
  double bound;      // of the gradient's integers
  // To which longer gradients are cut: as much below the bound as rounding lifts them in all but a
  // few records in a million, about a millionth. Those few are left to clip_block().
  float length;
  float floor;  // beside the norm, to normalise
  bool normalise;
  double largest_square;            // D^2, less the square of the mark
  double largest_square_shortened;  // with the mark of a shortened record
};

// Nothing where D is above 2^26, or C so small or so large that squares might leave the range in
// which they are summed. Public settings alone decide.
std::optional<SweepRule> sweep_rule(const ClipTarget& target);

// Squared norms up to this are dealt with; of products with a factor up to the root of the second,
// terms whose squares vanish cannot matter beside the clip bound.
inline constexpr double kLargestNormSquare = 0x1p100;
inline constexpr double kLargestFactorSquare = 0x1p60;
// And where it is larger, squared terms have to be at least so many to be relied on.
inline constexpr double kLeastSquares = 0x1p-80;
// So many squares at most are added up in T, the rest in double.
inline constexpr std::size_t kSquaresAtOnce = 64;

// A row's sum is kept in parts: that of lane k in part k % 4. Each addition also adds kRounderBits.
inline constexpr std::size_t kSumParts = 4;
inline constexpr std::int64_t kRoundersPerBlock = kClipLanes / kSumParts;  // in each part

// What a sweep found.
struct alignas(64) SweptLanes {
  double factor[kClipLanes];    // 0 where nothing was added
  std::uint32_t added = 0;      // lanes whose integers are in the sums
  std::uint32_t within = 0;     // those of them that are within the bound
  std::uint32_t shortened = 0;  // lanes whose gradient is above the bound
};

// A lane's entries are multiplied by this: the factor, cut off after the digits of T toward zero,
// so that products of floats are exact.
template <class T>
double digits_of(double factor) {
  if constexpr (sizeof(T) == sizeof(double)) return factor;
  constexpr std::uint64_t kDigits = ~((std::uint64_t{1} << 29) - 1);
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(factor) & kDigits);
}

// Several blocks are swept at once, so that one's square roots and divisions are under way while
// another's squares are summed.
inline constexpr std::size_t kSweptAtOnce = 4;

// Internal to the clipper: as with ClipKernels, every lane is computed by the same operations in
// the same order in every kernel.
template <class T>
struct SweepKernels {
  // Adds the integers of all active lanes, wherever their norm is usable, to
  // sums[kSumParts * row + part]. `lanes` is as long as `blocks`, at most kSweptAtOnce.
  void (*add)(const SweepRule& rule, std::span<const ProductBlock<T>> blocks,
              const std::uint32_t* active_lanes, std::int64_t* sums, SweptLanes* lanes);
};

// Adds blocks and takes back what is not within the bound. What is left to do is for lanes that are
// active and not `within`. Which those are, like all that becomes of a lane, depends on that lane
// alone.
//
// Guarantee: the integers of each lane that stay in the sums have, with its mark, an exact
// Euclidean norm of at most integer_bound.
template <class T>
void add_within_bound(const SweepKernels<T>& kernels, const SweepRule& rule,
                      std::span<const ProductBlock<T>> blocks, const std::uint32_t* active_lanes,
                      std::int64_t* sums, SweptLanes* lanes);

// The integer that a row's entry, not part of a product, was added as.
template <class T>
std::int64_t swept_integer(double factor, T entry) {
  const double sum = static_cast<double>(entry) * digits_of<T>(factor) + kRounder;
  return std::bit_cast<std::int64_t>(sum) - kRounderBits;
}

template <class T>
const SweepKernels<T>& baseline_sweep_kernels();

// Only for a processor that has AVX2 and FMA.
template <class T>
const SweepKernels<T>& avx2_sweep_kernels();

// The fastest for this processor.
template <class T>
const SweepKernels<T>& sweep_kernels();

}  // namespace dpvi
