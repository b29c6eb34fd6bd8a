#pragma once

#include <cstdint>
#include <functional>

#include <dpvi/family/family.hpp>
#include <dpvi/fit/plan/loop_plan.hpp>
#include <dpvi/fit/plan/loop_start.hpp>
#include <dpvi/fit/train/loop_outcome.hpp>
#include <dpvi/fit/train/posterior_update.hpp>
#include <dpvi/fit/train/private_step.hpp>

namespace dpvi {

// Called after each step with the number of completed steps and the release; returning false stops
// the run.
using StepWatcher = std::function<bool(std::int64_t steps_done, const Released& released)>;

// The training loop. Each step releases one noisy sum of clipped record gradients (PrivateStep) and
// moves the iterate by it: variational inference, or a Langevin chain if the plan says so. The
// full-data gradient is estimated by the released sum / sampling rate. Neither the number of
// records nor the batch size enters.
//
// Guarantee: all iterates together cost what an accountant computes for the plan's phases of
// Poisson-sampled Gaussian steps.
LoopOutcome run_private_loop(const LoopPlan& plan, const LoopModel& model, const Family& family,
                             const LoopStart& start, const StepWatcher& watcher,
                             LoopRandomness randomness = {});

// The same loop without clipping and noise, reproducible from a seed. Its result is not private.
LoopOutcome run_unprotected_loop(const LoopPlan& plan, const LoopModel& model, const Family& family,
                                 const LoopStart& start, std::uint64_t seed,
                                 const StepWatcher& watcher);

}  // namespace dpvi
