#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include <dpvi/base/gradient_term.hpp>
#include <dpvi/base/stopwatch.hpp>
#include <dpvi/gradient/block_evaluator.hpp>
#include <dpvi/gradient/coordinates.hpp>
#include <dpvi/gradient/grid_clipper.hpp>

namespace dpvi {

// Internal to record gradients: what is clipped in one step.
struct ClipTask {
  const ClipSettings& settings;
  const Coordinates& coordinates;
  // Unless empty, the terms that follow from the gradient are clipped in its place.
  std::span<const GradientTerm> joint;
  std::span<const double> theta = {};
};

// Internal to record gradients: the way from a thread's records to its partial sum. There is a path
// for each form that gradients can have on their way to the clipper. A path serves one step.
template <class T>
class ClipPath {
 public:
  virtual ~ClipPath() = default;
  ClipPath(const ClipPath&) = delete;
  ClipPath& operator=(const ClipPath&) = delete;

  // Evaluates records, at most as many as the evaluator takes at once, and adds their clipped
  // gradients. Times the clipping unless `clip_time` is null.
  void add(std::span<const std::uint64_t> records, Stopwatch* clip_time) {
    const std::size_t blocks = evaluate(records);
    if (clip_time != nullptr) clip_time->start();
    clip(blocks);
    if (clip_time != nullptr) clip_time->stop();
  }

  PartialSum take_sum() { return clipper_.take_sum(); }

 protected:
  ClipPath(BlockEvaluator<T>& blocks, GridClipper clipper)
      : blocks_(blocks), clipper_(std::move(clipper)) {}

  BlockEvaluator<T>& blocks_;
  GridClipper clipper_;

 private:
  // Returns the number of blocks to clip.
  virtual std::size_t evaluate(std::span<const std::uint64_t> records) = 0;
  virtual void clip(std::size_t blocks) = 0;
};

// Chooses the path for a step. The evaluator must have begun the step's draw.
template <class T>
std::unique_ptr<ClipPath<T>> make_clip_path(BlockEvaluator<T>& blocks, const ClipTask& task);

}  // namespace dpvi
