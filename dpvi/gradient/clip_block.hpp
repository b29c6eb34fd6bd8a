#pragma once

#include <cstddef>
#include <cstdint>

#include <dpvi/gradient/clip_kernels.hpp>
#include <dpvi/gradient/clip_target.hpp>
#include <dpvi/gradient/product_run.hpp>

namespace dpvi {

// Normalising divides by the norm plus kNormaliseFloor * C, so the divisor of a zero gradient is
// not 0. The value is that of "automatic clipping" (Bu et al. 2023).
inline constexpr double kNormaliseFloor = 0.01;

// Internal to the clipper: constants derived from a target and shared by all blocks, for entries of
// type T.
template <class T>
struct ClipArithmetic {
  explicit ClipArithmetic(const ClipTarget& clip_target);

  ClipTarget target;
  FactorRule factors;
  T limit;  // the largest T that is not above D
  std::size_t rows_at_a_time;
};

// Internal to the clipper: converts one block of records to integers in the block's layout. A clip
// coordinate, if there is one, becomes an additional last row. A block has one row for each
// coordinate of the gradient; rows that are zero in all lanes may be left out. Products must be
// written out. Bit k of
// active_lanes is set if lane k holds a record; other lanes may hold anything. A gradient is
// clipped to its lane's share of the bound.
//
// A gradient that exceeds the bound after rounding is truncated toward zero. If it still exceeds
// the bound, its integers are shrunk and truncated again.
//
// Guarantee: each record's integers, its clip coordinate included, have an exact Euclidean norm of
// at most integer_bound.
// Guarantee: a record's integers are a bit-exact function of gradient, share and target.
// Guarantee: a record with a NaN or an infinity becomes zero, and no other record is zeroed.
template <class T>
void clip_block(const ClipKernels<T>& kernels, const ClipArithmetic<T>& arithmetic,
                const ProductBlock<T>& block, std::uint32_t active_lanes, std::int32_t* integers);

}  // namespace dpvi
