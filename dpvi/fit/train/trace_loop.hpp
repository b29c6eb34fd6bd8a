#pragma once

#include <dpvi/fit/plan/private_fit_plan.hpp>
#include <dpvi/fit/train/fitted_posterior.hpp>
#include <dpvi/fit/train/private_step.hpp>

namespace dpvi {

// A private run that reads every release as a measurement. The points, coordinates and clip bounds of
// its releases follow from earlier ones and public facts.
struct TraceOutcome {
  LoopOutcome loop;
  LocationNoise location_noise;
};

TraceOutcome run_trace(const PrivateFitPlan& plan, RecordGradients& gradients,
                       const StepWatcher& watcher, LoopRandomness randomness = {});

}  // namespace dpvi
