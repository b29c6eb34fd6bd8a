#include <dpvi/fit/train/training_loop.hpp>

#include <utility>

#include <dpvi/base/stopwatch.hpp>
#include <dpvi/fit/train/langevin_update.hpp>
#include <dpvi/fit/train/loop_record.hpp>
#include <dpvi/fit/train/unprotected_step.hpp>
#include <dpvi/fit/train/variational_update.hpp>

namespace dpvi {
namespace {

template <class Step, PosteriorUpdate Update>
LoopOutcome run_steps(Step& step, Update& update, const LoopPlan& plan, LoopRecord record,
                      const StepWatcher& watcher) {
  const StepSchedule schedule(plan.schedule, plan.learning_rate, plan.steps());
  std::int64_t done = 0;
  bool completed = true;
  Stopwatch all;
  all.start();
  for (const LoopPhase& phase : plan.phases) {
    step.start(phase);
    const double rate = phase.sampling_rate.value();
    for (std::int64_t i = 0; i < phase.steps && completed; ++i) {
      const StepScale scale{.sampling_rate = rate,
                            .step_size = schedule.step_size(done),
                            .noise_variance = step.gradient_noise_variance()};
      const Released released = step.take(
          update.draw_size(), [&](std::span<const double> draw) { return update.point(draw); });
      const UpdateDirection direction = update.direction(released, scale);
      record.add_direction(update.working_point(), direction,
                           {.variance = scale.noise_variance, .sampling = (1.0 - rate) / rate});
      update.move(direction, scale.step_size);
      record.add_iterate(update.parameters());
      completed = watcher(++done, released);
    }
  }
  all.stop();
  LoopOutcome outcome = record.outcome(update.parameters(), update.used());
  outcome.releases = step.releases();
  outcome.last_clip_bound = step.clip_bound();
  outcome.times = step.times(all.seconds());
  outcome.completed = completed;
  return outcome;
}

template <class Step>
LoopOutcome run_loop(Step& step, const LoopPlan& plan, const LoopModel& model, const Family& family,
                     const LoopStart& start, const StepWatcher& watcher) {
  LoopRecord record(plan, family, start.coordinates);
  if (plan.langevin) {
    LangevinUpdate update(plan, model, family, start);
    return run_steps(step, update, plan, std::move(record), watcher);
  }
  VariationalUpdate update(plan, model, family, start);
  return run_steps(step, update, plan, std::move(record), watcher);
}

}  // namespace

LoopOutcome run_private_loop(const LoopPlan& plan, const LoopModel& model, const Family& family,
                             const LoopStart& start, const StepWatcher& watcher,
                             LoopRandomness randomness) {
  PrivateStep step(plan, *model.gradients, start.coordinates, std::move(randomness));
  return run_loop(step, plan, model, family, start, watcher);
}

LoopOutcome run_unprotected_loop(const LoopPlan& plan, const LoopModel& model, const Family& family,
                                 const LoopStart& start, std::uint64_t seed,
                                 const StepWatcher& watcher) {
  UnprotectedStep step(*model.gradients, start.coordinates, seed);
  LoopPlan aligned = plan;
  aligned.gradient = GradientMode::aligned;
  return run_loop(step, aligned, model, family, start, watcher);
}

}  // namespace dpvi
