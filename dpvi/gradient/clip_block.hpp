#pragma once

#include <cstddef>
#include <cstdint>

#include <dpvi/gradient/clip_kernels.hpp>
#include <dpvi/gradient/clip_target.hpp>

namespace dpvi {

// Beside C, so that a gradient of any length is divided by something. A hundredth, as in
// "automatic clipping" (Bu et al. 2023).
inline constexpr double kNormaliseFloor = 0.01;

// Internal to the clipper: what follows from a target once and for all blocks, for entries of type
// T.
template <class T>
struct ClipArithmetic {
  explicit ClipArithmetic(const ClipTarget& clip_target);

  ClipTarget target;
  FactorRule factors;
  T limit;  // the largest T that is not above D
  std::size_t rows_at_a_time;
};

// Internal to the clipper: turns one block of records into integers, in the block's layout, with
// the clip coordinate, if there is one, as one more row. A block has a row for each coordinate of
// the gradient, or fewer where the others are zero in all lanes. Bit k of active_lanes says whether
// lane k holds a record; other lanes may hold anything.
//
// A gradient that rounding lifts above the bound is truncated toward zero; where that is not
// enough, its integers are shrunk and truncated once more.
//
// Guarantee: each record's integers, its clip coordinate included, have an exact Euclidean norm of
// at most integer_bound.
// Guarantee: a record's integers are a bit-exact function of its gradient and the target.
// Guarantee: a record with a NaN or an infinity becomes zero, and no other record is zeroed.
template <class T>
void clip_block(const ClipKernels<T>& kernels, const ClipArithmetic<T>& arithmetic, const T* block,
                std::size_t rows, std::uint32_t active_lanes, std::int32_t* integers);

}  // namespace dpvi
