#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

#include <dpvi/gradient/clip_block.hpp>
#include <dpvi/gradient/clip_settings.hpp>
#include <dpvi/gradient/row_places.hpp>
#include <dpvi/gradient/sweep_kernels.hpp>
#include <dpvi/privacy/clipped_sum.hpp>
#include <dpvi/tape/record_tape.hpp>

namespace dpvi {

// Clips record gradients to the integer grid and sums them. One object serves one thread; sums of
// several threads are merged.
//
// Guarantee: adding a record moves the sum by an integer vector of norm at most the grid's
// integer_bound(), over all coordinates, which depends on that record's gradient and the settings
// alone, not on its lane, its neighbours, the processor or the thread's floating-point mode. The
// sum does not depend on the order of the records or the number of threads. Guarantee: a gradient
// with a NaN or an infinity counts as zero, silently; any other, however large or small, is kept.
class GridClipper final {
 public:
  static constexpr std::size_t kLanes = 16;

  // Throws UsageError on a clip bound outside [1e-100, 1e100], a dimension of 0 or above 2^24, more
  // records than the grid can hold, or a clip coordinate that is too large or of a target below
  // one half.
  explicit GridClipper(const ClipSettings& settings);
  // For gradients in rows.
  GridClipper(const ClipSettings& settings, const GradientRows& rows);

  // Adds blocks of up to kLanes records. Lane k of row j of a block is block[j * kLanes + k], and
  // there is a row for every coordinate unless the constructor was told otherwise; bit k of a
  // block's active lanes says whether lane k holds a record; other lanes may hold anything. `own`
  // holds the coordinates of the rows in which each lane has its own; a lane that names one of them
  // twice counts as zero. T is float or double.
  template <class T>
  void add(std::span<const T> blocks, std::span<const std::uint32_t> active_lanes,
           std::span<const std::int32_t> own = {});
  template <class T>
  void add(std::span<const T> block, std::uint32_t active_lanes,
           std::span<const std::int32_t> own = {}) {
    add(block, std::span<const std::uint32_t>(&active_lanes, 1), own);
  }

  // The same for one block some of whose rows are products that are not written out: the first row
  // of each run holds its factor. Writes some of them into the block.
  template <class T>
  void add_products(std::span<T> block, std::span<const ProductRun<T>> runs,
                    std::uint32_t active_lanes, std::span<const std::int32_t> own = {});

  // The sum of everything added since the last call; zero if nothing was. Where there is a clip
  // coordinate it is the last.
  ClippedSum take_sum();

 private:
  GridClipper(const ClipSettings& settings, RowPlaces places);

  // In one sweep; `lanes` become those that it leaves.
  template <class T>
  void sweep(std::span<const ProductBlock<T>> blocks, std::uint32_t* lanes,
             const std::int32_t* own);

  template <class T>
  void add_written_out(const T* block, std::uint32_t lanes, const std::int32_t* own);

  ClipSettings settings_;
  ClipTarget target_;
  std::optional<SweepRule> sweep_;
  std::tuple<ClipArithmetic<float>, ClipArithmetic<double>> arithmetic_;
  RowPlaces places_;
  ClippedSum sum_;
  LaneBuffer<std::int64_t> swept_sums_;  // by row, in parts
  std::int64_t swept_blocks_ = 0;
  LaneBuffer<std::int32_t> integers_;  // of a block that is not swept
};

}  // namespace dpvi
