#pragma once

#include <cstddef>
#include <cstdint>

#include <dpvi/gradient/clip_kernels.hpp>

namespace dpvi {

// Public numbers that fix how a gradient becomes integers.
struct ClipTarget {
  std::int64_t integer_bound;  // D, at most 2^30
  double clip_bound;           // C
  std::size_t dimension;
};

// Internal to the clipper: writes the integers of one block of records, in the block's layout. Bit
// k of active_lanes says whether lane k holds a record; other lanes may hold anything.
//
// Guarantee: each record's integers have an exact Euclidean norm of at most integer_bound.
// Guarantee: a record's integers are a bit-exact function of its gradient and the target.
// Guarantee: a record with a NaN or an infinity becomes zero, and no other record is zeroed.
template <class T>
void clip_block(const ClipKernels<T>& kernels, const ClipTarget& target, const T* block,
                std::uint32_t active_lanes, std::int32_t* integers);

}  // namespace dpvi
