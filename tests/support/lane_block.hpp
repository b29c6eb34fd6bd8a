#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <dpvi/gradient/clip_block.hpp>

namespace dpvi {

// A block in lane layout, filled record by record.
template <class T>
class ClipLanes {
 public:
  ClipLanes(std::size_t dimension, T padding)
      : dimension_(dimension), entries_(kClipLanes * dimension, padding) {}

  void put(std::size_t lane, const std::vector<T>& record) {
    for (std::size_t j = 0; j < dimension_; ++j) entries_[j * kClipLanes + lane] = record[j];
    active_ |= 1u << lane;
  }

  const std::vector<T>& entries() const { return entries_; }
  std::uint32_t active_lanes() const { return active_; }

  // Returns the integers of each lane.
  std::vector<std::vector<std::int32_t>> clip(const ClipKernels<T>& kernels,
                                              const ClipTarget& target) const {
    std::vector<std::int32_t> integers(kClipLanes * target.width());
    clip_block(kernels, ClipArithmetic<T>(target), {entries_.data(), dimension_}, active_,
               integers.data());
    std::vector<std::vector<std::int32_t>> lanes(kClipLanes);
    for (std::size_t i = 0; i < integers.size(); ++i) lanes[i % kClipLanes].push_back(integers[i]);
    return lanes;
  }

 private:
  std::size_t dimension_;
  std::vector<T> entries_;
  std::uint32_t active_ = 0;
};

// Returns the integers of one record that has a block to itself.
template <class T>
std::vector<std::int32_t> clip_alone(const ClipTarget& target, const std::vector<T>& record,
                                     const ClipKernels<T>& kernels = clip_kernels<T>()) {
  ClipLanes<T> block(target.dimension, T{0});
  block.put(0, record);
  return block.clip(kernels, target)[0];
}

template <class Integer>
unsigned __int128 exact_square_sum(const std::vector<Integer>& integers) {
  unsigned __int128 sum = 0;
  for (const Integer n : integers) {
    const __int128 wide = n;
    sum += static_cast<unsigned __int128>(wide * wide);
  }
  return sum;
}

inline unsigned __int128 exact_square(std::int64_t bound) {
  return static_cast<unsigned __int128>(bound) * static_cast<unsigned __int128>(bound);
}

template <class Integer>
bool all_zero(const std::vector<Integer>& integers) {
  return exact_square_sum(integers) == 0;
}

}  // namespace dpvi
