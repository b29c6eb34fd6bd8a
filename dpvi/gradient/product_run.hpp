#pragma once

#include <cstddef>

#include <dpvi/gradient/clip_kernels.hpp>

namespace dpvi {

// Rows of a block that are not written out: row first + i of lane k is the lane's factor, which
// stands in row `first` of the block, times term i of the lane,
// (columns[i * step + k] - centres[i]) * scales[i]. Null: no centres, no scales. A factor of 0
// makes the product 0 whatever its terms are.
template <class T>
struct ProductRun {
  std::size_t first = 0;
  std::size_t count = 0;
  const T* columns = nullptr;
  std::ptrdiff_t step = 0;
  const T* centres = nullptr;
  const T* scales = nullptr;
};

// A block some of whose rows are products that are not written out. The runs are in order and do
// not meet.
template <class T>
struct ProductBlock {
  const T* all_rows;  // of a run only the first is read
  std::size_t rows;
  const ProductRun<T>* runs = nullptr;
  std::size_t run_count = 0;

  const T* row(std::size_t number) const { return all_rows + number * kClipLanes; }
};

// Writes the products of a block out.
template <class T>
void multiply_out(const ProductRun<T>* runs, std::size_t run_count, T* block);

}  // namespace dpvi
