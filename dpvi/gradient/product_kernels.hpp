#pragma once

#include <cstddef>
#include <cstdint>

#include <dpvi/gradient/clip_block.hpp>

namespace dpvi {

// Rows of a block that are not written out: row first + i of lane k is the lane's factor, which
// stands in row `first` of the block, times term i of the lane,
// (columns[i * step + k] - centres[i]) * scales[i]. Null: no centres, no scales.
template <class T>
struct ProductRun {
  std::size_t first = 0;
  std::size_t count = 0;
  const T* columns = nullptr;
  std::ptrdiff_t step = 0;
  const T* centres = nullptr;
  const T* scales = nullptr;
};

// Sums of squared terms between these are as exact as T allows: no square overflowed, and none that
// matters vanished.
template <class T>
inline constexpr T kLeastSquares = sizeof(T) == sizeof(float) ? T(0x1p-80) : T(0x1p-800);
template <class T>
inline constexpr T kMostSquares = sizeof(T) == sizeof(float) ? T(0x1p80) : T(0x1p800);

// Lanes by the sum of their squared terms.
struct ProductLanes {
  std::uint32_t usable = 0;  // within the limits above, or the factor is 0
  std::uint32_t zero = 0;    // the sum is 0, which it also is where all squares vanished
};

// What one lane's terms become: term * multiplier, held within +-limit and rounded; 0 in a lane
// whose `keep` is 0, whatever stands in it. The multiplier is the run's factor times the rule's
// exact one, rounded toward zero, so that it errs on the shorter side.
template <class T>
struct alignas(64) ProductRule {
  T multiplier[kClipLanes];
  std::int32_t keep[kClipLanes];  // -1 or 0
  T limit;
  std::size_t rows_at_a_time;  // as in LaneRule
};

// A block some of whose rows are products that are not written out. The runs are in order and do
// not meet.
template <class T>
struct ProductBlock {
  const T* all_rows;  // of a run only the first is read
  std::size_t rows;
  const ProductRun<T>* runs;
  std::size_t run_count;

  const T* row(std::size_t number) const { return all_rows + number * kClipLanes; }
};

// Internal to the clipper: products, written once per instruction set. As with ClipKernels, every
// lane is computed by the same operations in the same order in every kernel.
template <class T>
struct ProductKernels {
  // Turns a block into integers, as clip_block() does, without writing the products out: the length
  // of a product is its factor times the length of its terms. Returns the lanes that it took; the
  // others are zero. Not taken are lanes where a square overflowed or vanished, or that hold a NaN
  // or an infinity: they are to be multiplied out and given to clip_block(). Which lanes are taken,
  // like all that becomes of a lane, depends on that lane alone.
  //
  // Guarantee: the integers of each lane, its clip coordinate included, have an exact Euclidean
  // norm of at most integer_bound.
  std::uint32_t (*clip)(const ClipArithmetic<T>& arithmetic, const ProductBlock<T>& block,
                        std::uint32_t active_lanes, std::int32_t* integers);
};

template <class T>
const ProductKernels<T>& baseline_product_kernels();

// Only for a processor that has AVX2 and FMA.
template <class T>
const ProductKernels<T>& avx2_product_kernels();

// The fastest for this processor.
template <class T>
const ProductKernels<T>& product_kernels();

// Writes the products of a block out.
template <class T>
void multiply_out(const ProductRun<T>* runs, std::size_t run_count, T* block);

}  // namespace dpvi
