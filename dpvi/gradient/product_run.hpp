#pragma once

#include <cstddef>

#include <dpvi/gradient/clip_kernels.hpp>

namespace dpvi {

// Rows of a block that are products and are not written out. Row first + i of lane k is the lane's
// factor times its term i. The factor is stored in row `first` of the block. Term i is
// (columns[i * step + k] - centres[i]) * scales[i]; null pointers mean no centres or no scales. A
// factor of 0 makes the product 0 whatever its terms are.
template <class T>
struct ProductRun {
  std::size_t first = 0;
  std::size_t count = 0;
  const T* columns = nullptr;
  std::ptrdiff_t step = 0;
  const T* centres = nullptr;
  const T* scales = nullptr;
};

// Each lane's share of the clip bound, from kLeastShare to 1. The gradient of the lane is clipped
// to that share of the bound.
inline constexpr float kLeastShare = 0x1p-100F;
struct alignas(64) BoundShares {
  float lane[kClipLanes];
};
inline constexpr BoundShares kWholeBound = {{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}};

// A block in which some rows are products that are not written out. The runs are in increasing
// order and do not overlap.
template <class T>
struct ProductBlock {
  const T* all_rows;  // only the first row of each run is read
  std::size_t rows;
  const ProductRun<T>* runs = nullptr;
  std::size_t run_count = 0;
  const BoundShares* shares = &kWholeBound;

  const T* row(std::size_t number) const { return all_rows + number * kClipLanes; }
};

// Replaces the rows of all runs by their products.
template <class T>
void multiply_out(const ProductRun<T>* runs, std::size_t run_count, T* block);

}  // namespace dpvi
