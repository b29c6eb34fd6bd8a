#pragma once

#include <span>
#include <vector>

#include <dpvi/fit/plan/privacy_plan.hpp>
#include <dpvi/fit/train/loop_outcome.hpp>

namespace dpvi {

// A privacy plan that a run has carried out, release by release. The claim of a result has this
// type, so a plan cannot be attached to a result that it did not produce.
//
// Guarantee: the sampling rates, noise multipliers and step counts of the plan are those of the
// releases that the run made.
class ExecutedPrivacyPlan {
 public:
  // Throws InternalError if the releases of the run differ from the plan.
  ExecutedPrivacyPlan(const PrivacyPlan& plan, const LoopOutcome& outcome);

  const PrivacyPlan& plan() const { return plan_; }

  // Throws InternalError unless the run ended with these numbers (LoopOutcome::result).
  void require_result(std::span<const double> result) const;

 private:
  PrivacyPlan plan_;
  std::vector<double> result_;
};

}  // namespace dpvi
