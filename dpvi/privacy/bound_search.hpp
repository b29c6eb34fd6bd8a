#pragma once

#include <functional>
#include <span>

#include <dpvi/privacy/event.hpp>

namespace dpvi {

// Searches for any accountant that only answers "does this run meet the target?". Meeting it must
// be monotone: more noise and fewer steps never hurt. What is returned meets it.
using MeetsTarget = std::function<bool(std::span<const GaussianPhase>)>;

// The run with the least noise on the mechanism's grid that meets the target. The phases' noise
// multipliers are relative: all are scaled by one factor. Throws UsageError if none does.
GaussianRun least_noise_on_grid(std::span<const GaussianPhase> relative, const MeetsTarget& meets);

// The phase with the most steps that meets the target, at most kMaxSteps. Throws UsageError if
// not even one step does.
GaussianRun most_steps(GaussianPhase phase, const MeetsTarget& meets);

}  // namespace dpvi
