#pragma once

#include <optional>

#include <dpvi/fit/loop_plan.hpp>
#include <dpvi/optim/adaptive_clip_bound.hpp>
#include <dpvi/privacy/released.hpp>

namespace dpvi {

// The clip bound from step to step: fixed within a phase, or adapted to the releases.
// Guarantee: the bound is a function of the plan and of earlier releases.
class ClipBoundPath {
 public:
  // The plan must outlive this.
  explicit ClipBoundPath(const LoopPlan& plan);

  void start(const LoopPhase& phase);
  double value() const { return adaptive_ ? adaptive_->value() : fixed_; }
  // To be called with every release made under value(), before the next.
  void follow(const Released& released);

 private:
  const LoopPlan& plan_;
  std::optional<AdaptiveClipBound> adaptive_;
  double fixed_;  // the bound of the phase, unless it is adapted
};

}  // namespace dpvi
