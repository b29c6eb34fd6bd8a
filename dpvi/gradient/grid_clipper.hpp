#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

#include <dpvi/gradient/clip_block.hpp>
#include <dpvi/gradient/clip_settings.hpp>
#include <dpvi/gradient/row_coordinates.hpp>
#include <dpvi/gradient/sweep_kernels.hpp>
#include <dpvi/privacy/partial_sum.hpp>
#include <dpvi/tape/lanes/record_tape.hpp>

namespace dpvi {

// Clips record gradients to the integer grid and sums them. Each thread uses an object of its own;
// a Collective reduces their sums.
//
// Guarantee: adding a record moves the sum by an integer vector of norm at most the grid's
// integer_bound(), over all coordinates. This vector depends on that record's gradient and share
// and the settings alone, not on its lane, its neighbours, the processor or the thread's
// floating-point mode. The sum depends neither on the order of the records nor on threads.
// In a sum of information this holds for the matrix that a record adds, with its Euclidean norm
// over all entries, and shares are not used.
//
// Guarantee: a gradient with a NaN or an infinity counts as zero, silently; any other gradient,
// however large or small, is kept.
class GridClipper final {
 public:
  static constexpr std::size_t kLanes = 16;

  // Throws UsageError if the clip bound is outside [1e-100, 1e100], the dimension is 0 or above
  // 2^24, or max_records exceeds what the grid can hold. Also throws for a clip coordinate whose
  // size or target share is out of range, or that goes with normalising.
  explicit GridClipper(const ClipSettings& settings);
  // For gradients stored in rows.
  GridClipper(const ClipSettings& settings, const GradientRows& rows);

  // Adds blocks of up to kLanes records. Lane k of row j of a block is block[j * kLanes + k]. A
  // block has a row for every coordinate unless the constructor was given rows. Bit k of a block's
  // active lanes is set if lane k holds a record; other lanes may hold anything. `own` holds the
  // coordinates of those rows in which each lane has its own. A lane whose rows' coordinates do not
  // increase counts as zero. `shares` has an entry for each block; if empty, all shares are 1. A
  // gradient is clipped to its lane's share of the bound, and counts as shortened if it reaches
  // that. T is float or double.
  template <class T>
  void add(std::span<const T> blocks, std::span<const std::uint32_t> active_lanes,
           std::span<const std::int32_t> own = {}, std::span<const BoundShares> shares = {});
  template <class T>
  void add(std::span<const T> block, std::uint32_t active_lanes,
           std::span<const std::int32_t> own = {}, std::span<const BoundShares> shares = {}) {
    add(block, std::span<const std::uint32_t>(&active_lanes, 1), own, shares);
  }

  // The same for one block in which some rows are products that are not written out: the first row
  // of each run holds its factor. May write products into the block.
  template <class T>
  void add_products(std::span<T> block, std::span<const ProductRun<T>> runs,
                    std::uint32_t active_lanes, std::span<const std::int32_t> own = {},
                    const BoundShares& shares = kWholeBound);

  // Returns the sum of everything added since the last call; zero if nothing was added. The clip
  // coordinate, if there is one, is the last entry.
  PartialSum take_sum();

 private:
  GridClipper(const ClipSettings& settings, RowCoordinates places);

  // Adds blocks in one sweep and removes the lanes that it added from `lanes`.
  template <class T>
  void sweep(std::span<const ProductBlock<T>> blocks, std::uint32_t* lanes,
             const std::int32_t* own);

  template <class T>
  void add_written_out(const ProductBlock<T>& block, std::uint32_t lanes, const std::int32_t* own);

  // Adds the outer products of a block's integers; the block must have a row for every coordinate.
  void add_products_of_integers();
  double released_bound() const;
  std::size_t sum_size() const {
    const std::size_t width = target_.width();
    return settings_.sum == ReleasedSum::information ? width * width : width;
  }

  ClipSettings settings_;
  ClipTarget target_;
  std::optional<SweepRule> sweep_;
  std::tuple<ClipArithmetic<float>, ClipArithmetic<double>> arithmetic_;
  RowCoordinates places_;
  PartialSum sum_;
  LaneBuffer<std::int64_t> swept_sums_;  // for each row, in kSumParts parts
  std::int64_t swept_blocks_ = 0;
  LaneBuffer<std::int32_t> integers_;  // for a block that is not swept
};

}  // namespace dpvi
