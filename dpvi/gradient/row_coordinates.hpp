#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <dpvi/gradient/clip_kernels.hpp>
#include <dpvi/gradient/sweep_kernels.hpp>
#include <dpvi/tape/compile/gradient_rows.hpp>

namespace dpvi {

// Internal to the clipper: maps the rows of a block to coordinates of the sum.
//
// Guarantee: a lane that distinct_lanes() names has no two rows of the same coordinate. So its
// integers have the same norm in the sum as they have as rows.
class RowCoordinates {
 public:
  // One row for every coordinate.
  explicit RowCoordinates(std::size_t dimension);
  // Throws InternalError unless the shared coordinates increase and are below `dimension`.
  RowCoordinates(const GradientRows& rows, std::size_t dimension);

  std::size_t rows() const { return rows_; }
  std::size_t per_lane_rows() const { return per_lane_rows_; }

  // `own` has the tape's layout: kClipLanes coordinates for each row in which lanes have their own.
  std::uint32_t distinct_lanes(const std::int32_t* own) const {
    return per_lane_rows_ == 0 ? (1u << kClipLanes) - 1 : lanes_with_distinct(own);
  }

  // Adds every lane's integers to the sums of their coordinates. Only lanes in distinct_lanes() may
  // hold nonzero integers.
  template <class T>
  void add(const ClipKernels<T>& kernels, const std::int32_t* integers, const std::int32_t* own,
           std::int64_t* sums) const;

  // The same for swept blocks. add_own() adds the rows with lanes' own coordinates and is called
  // for every block. add_swept() adds the sums of the other rows and is called once, at the end.
  template <class T>
  void add_own(const SweptLanes& lanes, const T* block, const std::int32_t* own,
               std::int64_t* sums) const;
  void add_swept(const std::int64_t* parts, std::int64_t blocks, std::int64_t* sums) const;

 private:
  std::uint32_t lanes_with_distinct(const std::int32_t* own) const;

  // A run of adjacent rows. It covers consecutive coordinates from `first` on, or lanes' own
  // coordinates in [first, end).
  struct Run {
    bool own = false;
    std::size_t rows = 0;
    std::int32_t first = 0;
    std::int32_t end = 0;
  };

  std::vector<Run> runs_;
  std::size_t rows_;
  std::size_t per_lane_rows_;
};

}  // namespace dpvi
