#pragma once

#include <dpvi/fit/plan/private_fit_plan.hpp>
#include <dpvi/fit/train/fitted_posterior.hpp>
#include <dpvi/fit/train/private_step.hpp>
#include <dpvi/sample/site_target.hpp>

namespace dpvi {

// A private run that reads every release as a measurement. The points, coordinates and clip bounds
// of its releases follow from earlier ones and public facts.
struct TraceOutcome {
  LoopOutcome loop;
  double first_bound = 1.0;  // clip bound of the first gradient release
  Site site;                 // what the releases say about theta
  Site site_without_noise;   // what they would say without privacy noise
  MeasurementEvidence measured;
  std::vector<double> last_move;  // of the estimate, in theta
  std::vector<double> clip_bias;  // shift due to clipping that may remain, in theta
};

TraceOutcome run_trace(const PrivateFitPlan& plan, RecordGradients& gradients,
                       const StepWatcher& watcher, LoopRandomness randomness = {});

}  // namespace dpvi
