#include <dpvi/fit/train/fitted_posterior.hpp>

#include <algorithm>
#include <functional>

namespace dpvi {

std::optional<double> common_scale(const LoopStart& start) {
  const std::vector<double>& scales = start.scales;
  const bool same =
      std::adjacent_find(scales.begin(), scales.end(), std::not_equal_to<>()) == scales.end();
  return same && !scales.empty() ? std::optional(scales[0]) : std::nullopt;
}

ExecutedLoop executed_loop(const LoopPlan& plan, const LoopOutcome& outcome,
                           const StartNames& start) {
  ExecutedLoop loop;
  loop.clip = name_of(plan.clip.mode);
  loop.clip_bound = plan.clip.first_bound;
  loop.clip_centre = name_of(plan.clip.centre);
  loop.clip_centre_reason = plan.clip.centre_reason;
  for (const LoopPhase& phase : plan.phases) {
    if (phase.clip_bound) loop.phase_clip_bounds.push_back(*phase.clip_bound);
  }
  loop.last_clip_bound = outcome.last_clip_bound;
  if (plan.clip.coordinate) {
    loop.clip_coordinate = plan.clip.coordinate->size;
    loop.unshortened_share = plan.clip.coordinate->unshortened_share;
  }
  loop.gradient = name_of(plan.gradient);
  loop.optimizer = plan.langevin ? "langevin" : name_of(plan.optimizer);
  loop.schedule = name_of(plan.schedule);
  loop.learning_rate = plan.learning_rate;
  loop.averaged_share = plan.averaged_share;
  loop.initial_values = start.initial_values;
  loop.initial_scale = start.scale;
  loop.coordinates = start.coordinates;
  return loop;
}

StepWatcher watcher_of(const FitProgress& progress, std::int64_t steps) {
  return [&progress, steps](std::int64_t done, const Released&) {
    return !progress || progress(done, steps);
  };
}

FittedPosterior fitted_posterior(LoopOutcome outcome, ExecutedLoop loop,
                                 const OutputFunction& outputs_at,
                                 std::optional<ExecutedPrivacyPlan> privacy) {
  FitTrace trace =
      trace_of(outcome.locations, outcome.parameters, outcome.location_factor, outputs_at);
  return {std::move(privacy),         std::move(outcome.parameters),
          std::move(outcome.samples), std::move(loop),
          std::move(trace),           outcome.times,
          outcome.completed};
}

}  // namespace dpvi
