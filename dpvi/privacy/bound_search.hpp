#pragma once

#include <functional>
#include <span>

#include <dpvi/privacy/accountant.hpp>
#include <dpvi/privacy/calibration.hpp>
#include <dpvi/privacy/event.hpp>

namespace dpvi {

// Searches that work with any accountant, which only answers whether a run meets the target. The
// answer must be monotone: more noise and fewer steps never hurt. Every returned run meets the
// target.
using MeetsTarget = std::function<bool(std::span<const GaussianPhase>)>;

// Whether an accountant claims at most the target's epsilon at its delta.
MeetsTarget meets_target(const PrivacyTarget& target, Accountant accountant);

// The run with the least noise on the mechanism's grid that meets the target. The phases' noise
// multipliers are relative: one factor scales them all. Throws UsageError if no factor meets the
// target.
GaussianRun least_noise_on_grid(std::span<const GaussianPhase> relative, const MeetsTarget& meets);

// The phase with the most steps that meets the target, at most kMaxSteps. Throws UsageError if not
// even one step meets it.
GaussianRun most_steps(GaussianPhase phase, const MeetsTarget& meets);

}  // namespace dpvi
