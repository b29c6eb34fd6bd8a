#pragma once

#include <dpvi/gradient/product_run.hpp>

// Internal linkage ensures that instruction sets share no code.

namespace dpvi {
namespace {

// Calls each(run, factors) for a block's rows in order. Products come with the factors of their
// lanes. The rows between products come as runs of terms with null factors.
template <class T, class Each>
[[gnu::always_inline]] inline void for_each_piece(const ProductBlock<T>& block, const Each& each) {
  std::size_t at = 0;
  const auto rows_up_to = [&](std::size_t end) {
    if (end == at) return;
    const ProductRun<T> rows{at, end - at, block.row(at), kClipLanes, nullptr, nullptr};
    each(rows, static_cast<const T*>(nullptr));
  };
  for (std::size_t i = 0; i < block.run_count; ++i) {
    const ProductRun<T>& run = block.runs[i];
    rows_up_to(run.first);
    each(run, block.row(run.first));
    at = run.first + run.count;
  }
  rows_up_to(block.rows);
}

}  // namespace
}  // namespace dpvi
