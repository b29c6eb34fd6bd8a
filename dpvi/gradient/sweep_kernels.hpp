#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include <dpvi/gradient/clip_target.hpp>
#include <dpvi/gradient/product_run.hpp>

// Clipping in one sweep: a block's integers are checked and summed without being stored, and
// products are not written out. A sweep handles ordinary records and ordinary settings; all others
// are left to clip_block().
//
// The integers are whole numbers in doubles. Whole numbers up to 2^53 are exact, and so are their
// products and sums. Above 2^53 a sum of squares is rounded, but adding to it never makes it
// smaller. So a sum of squares that is at most D^2 <= 2^52 was never rounded, and comparing it with
// D^2 is the exact integer check.

namespace dpvi {

// Adding this to a number below 2^51 rounds it to the nearest integer n, ties to even. The bits of
// the sum, read as an integer, are kRounderBits + n.
inline constexpr double kRounder = 0x1.8p52;
inline constexpr std::int64_t kRounderBits = std::bit_cast<std::int64_t>(kRounder);

// Constants derived from a target and shared by all blocks.
struct SweepRule {
  double unclipped;  // D / C
  double bound;      // on the norm of the gradient's integers
  // Norm to which longer gradients are scaled, about a millionth below the bound. Rounding then
  // lifts only a few records in a million above the bound; those are left to clip_block().
  float length;
  float floor;  // added to the norm when normalising
  bool normalise;
  double largest_square;            // D^2 minus the square of an unshortened record's mark
  double largest_square_shortened;  // the same with the mark of a shortened record
};

// Returns nullopt if D is above 2^26, or if C is so small or so large that squares might leave the
// range in which they are summed. Only public settings decide this.
std::optional<SweepRule> sweep_rule(const ClipTarget& target);

// The largest squared norm that a sweep handles, and a limit for the squared factor of a product.
// Up to that limit, terms whose squares underflow cannot matter beside the clip bound.
inline constexpr double kLargestNormSquare = 0x1p100;
inline constexpr double kLargestFactorSquare = 0x1p60;
// For larger factors, the sum of squared terms is reliable only if it is at least this.
inline constexpr double kLeastSquares = 0x1p-80;
// At most this many squares are summed in T; the partial sums are added in double.
inline constexpr std::size_t kSquaresAtOnce = 64;

// A row's sum is kept in parts: lane k is added to part k % 4. Each addition also adds
// kRounderBits.
inline constexpr std::size_t kSumParts = 4;
inline constexpr std::int64_t kRoundersPerBlock = kClipLanes / kSumParts;  // for each part

// Result of a sweep over one block.
struct alignas(64) SweptLanes {
  double factor[kClipLanes];    // 0 if nothing was added
  std::uint32_t added = 0;      // lanes whose integers the kernel added to the sums
  std::uint32_t within = 0;     // lanes of `added` that are within the bound
  std::uint32_t shortened = 0;  // lanes that are normalised, or whose gradient reaches the bound
};

// Multiplier of a lane's entries: the factor, truncated toward zero to the precision of T, so that
// products of floats are exact.
template <class T>
double digits_of(double factor) {
  if constexpr (sizeof(T) == sizeof(double)) return factor;
  constexpr std::uint64_t kDigits = ~((std::uint64_t{1} << 29) - 1);
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(factor) & kDigits);
}

// Number of blocks that are swept together, so that the square roots and divisions of one overlap
// with the sums of squares of another.
inline constexpr std::size_t kSweptAtOnce = 4;

// Internal to the clipper. As with ClipKernels, every kernel computes every lane by the same
// operations in the same order.
template <class T>
struct SweepKernels {
  // Adds the integers of all active lanes whose norm is usable to sums[kSumParts * row + part].
  // `lanes` is as long as `blocks`, at most kSweptAtOnce.
  void (*add)(const SweepRule& rule, std::span<const ProductBlock<T>> blocks,
              const std::uint32_t* active_lanes, std::int64_t* sums, SweptLanes* lanes);
};

// Adds blocks, then subtracts the lanes that are not within the bound. Lanes that are active but
// not `within` remain to be added. A lane's result, including whether it is `within`, depends on
// that lane alone.
//
// Guarantee: the integers of each lane that stay in the sums have, with its mark, an exact
// Euclidean norm of at most integer_bound.
template <class T>
void add_within_bound(const SweepKernels<T>& kernels, const SweepRule& rule,
                      std::span<const ProductBlock<T>> blocks, const std::uint32_t* active_lanes,
                      std::int64_t* sums, SweptLanes* lanes);

// The integer that was added for a row's entry. The row must not be part of a product.
template <class T>
std::int64_t swept_integer(double factor, T entry) {
  const double sum = static_cast<double>(entry) * digits_of<T>(factor) + kRounder;
  return std::bit_cast<std::int64_t>(sum) - kRounderBits;
}

template <class T>
const SweepKernels<T>& baseline_sweep_kernels();

// Requires a processor with AVX2 and FMA.
template <class T>
const SweepKernels<T>& avx2_sweep_kernels();

// The fastest kernels for this processor.
template <class T>
const SweepKernels<T>& sweep_kernels();

}  // namespace dpvi
