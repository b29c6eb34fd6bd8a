#include <dpvi/fit/train/fitted_posterior.hpp>

#include <algorithm>
#include <functional>

#include <dpvi/fit/train/location_uncertainty.hpp>

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
                                 std::optional<ExecutedPrivacyPlan> privacy) {
  FitTrace trace = trace_of(outcome.locations, outcome.parameters);
  trace.remaining_move = std::move(outcome.remaining_move);
  trace.path = std::move(outcome.path);
  LocationNoise noise = location_uncertainty(outcome, trace);
  if (trace.optimisation != Optimisation::diverged) trace.mean_sd = noise.standard_deviations();
  return {.privacy = std::move(privacy),
          .family_parameters = std::move(outcome.parameters),
          .samples = std::move(outcome.samples),
          .location_noise = std::move(noise),
          .loop = std::move(loop),
          .trace = std::move(trace),
          .times = outcome.times,
          .completed = outcome.completed};
}

}  // namespace dpvi
