#pragma once

#include <span>
#include <vector>

#include <dpvi/fit/loop_outcome.hpp>
#include <dpvi/fit/privacy_plan.hpp>

namespace dpvi {

// A privacy plan that a run has carried out, release by release. What a result claims is one of
// these, so no plan can be attached to a result that it did not produce.
//
// Guarantee: the sampling rates, noise multipliers and step counts of the plan are those of the
// releases that the run made.
class ExecutedPlan {
 public:
  // Throws InternalError if the run's releases differ from the plan in anything.
  ExecutedPlan(const PrivacyPlan& plan, const LoopOutcome& outcome);

  const PrivacyPlan& plan() const { return plan_; }

  // Throws InternalError unless the run ended with these family parameters.
  void require_result(std::span<const double> family_parameters) const;

 private:
  PrivacyPlan plan_;
  std::vector<double> family_parameters_;
};

}  // namespace dpvi
