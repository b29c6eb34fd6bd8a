#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include <dpvi/gradient/block_evaluator.hpp>
#include <dpvi/gradient/record_walk.hpp>
#include <dpvi/gradient/value_and_gradient.hpp>

namespace dpvi {

// Internal to record gradients: sums records at theta without clipping. There is an evaluator for
// each worker. The result is the same for any number of workers.
template <class T>
ValueAndGradient sum_unclipped(RecordWalk& walk,
                               std::span<const std::unique_ptr<BlockEvaluator<T>>> evaluators,
                               std::span<const double> theta,
                               std::span<const std::uint64_t> records);

}  // namespace dpvi
