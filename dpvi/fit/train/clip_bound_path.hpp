#pragma once

#include <optional>

#include <dpvi/fit/plan/loop_plan.hpp>
#include <dpvi/optim/adaptive_clip_bound.hpp>
#include <dpvi/privacy/released.hpp>

namespace dpvi {

// The clip bound over the steps: fixed within a phase, or adapted to the releases.
//
// Guarantee: the bound is a function of the plan and of earlier releases.
class ClipBoundPath {
 public:
  // `plan` must outlive this object.
  explicit ClipBoundPath(const LoopPlan& plan);

  void start(const LoopPhase& phase);
  double value() const { return adaptive_ ? adaptive_->value() : fixed_; }
  // Call with every release made under value(), before the next one.
  void follow(const Released& released);

 private:
  const LoopPlan& plan_;
  std::optional<AdaptiveClipBound> adaptive_;
  double fixed_;  // bound of the phase if it is not adapted
};

}  // namespace dpvi
