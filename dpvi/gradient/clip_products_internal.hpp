#pragma once

#include <dpvi/gradient/lane_bound.hpp>
#include <dpvi/gradient/product_kernels.hpp>

// How a block with products is clipped, for each instruction set's own file: Loops has that set's
// loops. Internal linkage, and no standard library function, so that no code is shared between
// instruction sets.

namespace dpvi {
namespace {

constexpr std::uint32_t kEveryLane = (1u << kClipLanes) - 1;

// Calls each(first row, rows) for the rows between products.
template <class T, class Each>
[[gnu::always_inline]] inline void for_rows_between(const ProductBlock<T>& block,
                                                    const Each& each) {
  std::size_t at = 0;
  for (std::size_t i = 0; i < block.run_count; ++i) {
    const ProductRun<T>& run = block.runs[i];
    if (run.first > at) each(at, run.first - at);
    at = run.first + run.count;
  }
  if (block.rows > at) each(at, block.rows - at);
}

// Of the lanes named, those all of whose terms are zero.
template <class T>
std::uint32_t lanes_of_zeros(const ProductRun<T>& run, std::uint32_t lanes) {
  for (std::size_t i = 0; i < run.count && lanes != 0; ++i) {
    const T* column = run.columns + static_cast<std::ptrdiff_t>(i) * run.step;
    const T centre = run.centres == nullptr ? T{0} : run.centres[i];
    for (std::size_t k = 0; k < kClipLanes; ++k) {
      if (column[k] != centre) lanes &= ~(1u << k);
    }
  }
  return lanes;
}

// Adds the squared lengths of all products; the lanes whose lengths can be relied on.
template <class Loops, class T>
[[gnu::always_inline]] inline std::uint32_t add_product_squares(const ProductBlock<T>& block,
                                                                ClipValues& square_sums) {
  std::uint32_t usable = kEveryLane;
  for (std::size_t i = 0; i < block.run_count; ++i) {
    const ProductRun<T>& run = block.runs[i];
    const ProductLanes lanes = Loops::add_squares(run, block.row(run.first), square_sums);
    const std::uint32_t doubtful = lanes.zero & ~lanes.usable;
    usable &= lanes.usable | (doubtful == 0 ? 0 : lanes_of_zeros(run, doubtful));
  }
  return usable;
}

// Writes all integers, rounded or, in the lanes that the rule keeps, truncated.
template <class Loops, bool kTruncate, class T>
[[gnu::always_inline]] inline LaneSquares write_all(const ProductBlock<T>& block,
                                                    const LaneRule<T>& rule,
                                                    std::int32_t* integers) {
  LaneSquares squares;
  Loops::fill(squares.lane, std::uint64_t{0});
  for_rows_between(block, [&](std::size_t first, std::size_t rows) {
    const LaneSquares more = Loops::template write_rows<kTruncate>(block.row(first), rows, rule,
                                                                   integers + first * kClipLanes);
    for (std::size_t k = 0; k < kClipLanes; ++k) {
      const std::uint64_t sum = squares.lane[k] + more.lane[k];
      squares.lane[k] = sum < kManySquares ? sum : kManySquares;
    }
  });
  for (std::size_t i = 0; i < block.run_count; ++i) {
    const ProductRun<T>& run = block.runs[i];
    ProductRule<T> product;
    Loops::set_rule(rule, block.row(run.first), product);
    Loops::template write_run<kTruncate>(run, product, integers + run.first * kClipLanes, squares);
  }
  return squares;
}

template <class Loops, class T>
std::uint32_t clip_products(const ClipArithmetic<T>& arithmetic, const ProductBlock<T>& block,
                            std::uint32_t active_lanes, std::int32_t* integers) {
  ClipValues ones;
  ClipValues square_sums;
  Loops::fill(ones.lane, 1.0);
  Loops::fill(square_sums.lane, 0.0);
  for_rows_between(block, [&](std::size_t first, std::size_t rows) {
    const ClipValues more = Loops::square_sums(block.row(first), rows, ones);
    for (std::size_t k = 0; k < kClipLanes; ++k) square_sums.lane[k] += more.lane[k];
  });
  const std::uint32_t usable = active_lanes & add_product_squares<Loops>(block, square_sums);
  LaneRule<T> rule;
  rule.limit = arithmetic.limit;
  rule.rows_at_a_time = arithmetic.rows_at_a_time;
  Loops::set_lanes(square_sums, ones, arithmetic.factors, usable, rule);
  std::uint32_t taken = 0;
  for (std::size_t k = 0; k < kClipLanes; ++k) {
    taken |= static_cast<std::uint32_t>(rule.keep[k]) & (1u << k);
  }

  LaneBound bound(arithmetic.target, rule.shortened, rule.keep);
  bound.write_marks(integers + block.rows * kClipLanes);
  const std::uint32_t above = bound.lanes_above(write_all<Loops, false>(block, rule, integers));
  if (above == 0) return taken;
  for (std::size_t k = 0; k < kClipLanes; ++k) {
    rule.keep[k] = -static_cast<std::int32_t>(above >> k & 1u);
  }
  const std::uint32_t still = bound.lanes_above(write_all<Loops, true>(block, rule, integers));
  if (still != 0) bound.shrink(still, integers, block.rows);
  return taken;
}

}  // namespace
}  // namespace dpvi
