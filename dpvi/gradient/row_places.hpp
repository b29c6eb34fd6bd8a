#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <dpvi/gradient/clip_kernels.hpp>
#include <dpvi/gradient/sweep_kernels.hpp>
#include <dpvi/tape/gradient_rows.hpp>

namespace dpvi {

// Internal to the clipper: where the rows of a block belong in a sum over all coordinates.
//
// Guarantee: a lane that distinct_lanes() names has no two rows of the same coordinate. So its
// integers have the norm in the sum that they have as rows.
class RowPlaces {
 public:
  // A row for every coordinate.
  explicit RowPlaces(std::size_t dimension);
  // Throws InternalError unless the shared coordinates increase and are below `dimension`.
  RowPlaces(const GradientRows& rows, std::size_t dimension);

  std::size_t rows() const { return rows_; }
  std::size_t own_rows() const { return own_rows_; }

  // `own` is as the tape gives it: kClipLanes coordinates for each row of lanes' own.
  std::uint32_t distinct_lanes(const std::int32_t* own) const;

  // Adds every lane's integers where they belong. Only lanes whose coordinates are distinct may
  // have integers that are not zero.
  template <class T>
  void add(const ClipKernels<T>& kernels, const std::int32_t* integers, const std::int32_t* own,
           std::int64_t* sums) const;

  // The same for blocks that were swept: first every block's rows of lanes' own coordinates, in the
  // end the sums of the other rows.
  template <class T>
  void add_own(const SweptLanes& lanes, const T* block, const std::int32_t* own,
               std::int64_t* sums) const;
  void add_swept(const std::int64_t* parts, std::int64_t blocks, std::int64_t* sums) const;

 private:
  // Neighbouring rows: of neighbouring coordinates from `first` on, or of lanes' own coordinates
  // between `first` and `end`.
  struct Run {
    bool own = false;
    std::size_t rows = 0;
    std::int32_t first = 0;
    std::int32_t end = 0;
  };

  std::vector<Run> runs_;
  std::size_t rows_;
  std::size_t own_rows_;
};

}  // namespace dpvi
