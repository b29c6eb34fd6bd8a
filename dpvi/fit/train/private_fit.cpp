#include <dpvi/fit/train/private_fit.hpp>

#include <memory>

#include <dpvi/fit/train/rank_worker.hpp>
#include <dpvi/fit/train/trace_loop.hpp>
#include <dpvi/fit/train/training_loop.hpp>

namespace dpvi {
namespace {

// A fit by measurements has no iterates whose scatter would mean anything.
void add_measurements(FittedPosterior& fitted, TraceOutcome traced) {
  fitted.trace = {.optimisation = Optimisation::stationary,
                  .r_hat = {},
                  .effective_size = {},
                  .mean_sd = {},
                  .drift = {},
                  .remaining_move = std::move(traced.last_move),
                  .path = std::move(fitted.trace.path)};
  fitted.site = std::move(traced.site);
  fitted.site_without_noise = std::move(traced.site_without_noise);
  fitted.measured = traced.measured;
  fitted.clip_bias = std::move(traced.clip_bias);
  ExecutedLoop& loop = fitted.loop;
  loop.posterior = name_of(PosteriorKind::trace);
  loop.clip_bound = traced.first_bound;
  loop.optimizer = loop.schedule = "none";
  loop.learning_rate = 0.0;
  loop.averaged_share = 1.0;
  loop.initial_scale.reset();
  loop.coordinates = "whitened by mock records at each estimate";
}

// Ranks of a job simulate with one key.
std::shared_ptr<const SimulatedOutcomes> simulated_outcomes(const ModelToFit& model,
                                                            RankLink* link) {
  if (!model.simulation) return nullptr;
  return std::make_shared<const KeyedOutcomes>(*model.simulation, *model.tape,
                                               link != nullptr ? ContentKey(*link) : ContentKey());
}

// `stored` is nullptr if the records are in the table.
RecordGradients gradients_of(const RecordTable& table, const StoredRecords* stored,
                             const ModelToFit& model, RankLink* link, const FitSpeed& speed) {
  std::shared_ptr<const SimulatedOutcomes> simulated = simulated_outcomes(model, link);
  if (stored != nullptr) {
    return {*model.tape, *stored, speed.threads, model.outcome, std::move(simulated)};
  }
  return {*model.tape, table, speed.threads, model.outcome, std::move(simulated)};
}

LoopRandomness randomness_of(const std::optional<RankShare>& share, const FitSpeed& speed) {
  if (!share) return {.recorded = speed.recorded};
  return {.draws = BatchGenerator(*share->link()), .recorded = speed.recorded, .share = share};
}

}  // namespace

void serve_privately(PrivateRecords records, const FitSpeed& speed) {
  const RankShare& share = records.share_.value();
  RecordGradients gradients = gradients_of(records.table_, records.stored_.get(),
                                           records.plan().model(), share.link(), speed);
  const BatchGenerator generator(*share.link());
  serve_steps(share, generator, gradients);
}

FittedPosterior fit_privately(PrivateRecords records, const FitSpeed& speed,
                              const FitProgress& progress) {
  const PrivateFitPlan& plan = records.plan();
  const ModelToFit& model = plan.model();
  RankLink* link = records.share_ ? records.share_->link() : nullptr;
  RecordGradients gradients =
      gradients_of(records.table_, records.stored_.get(), model, link, speed);
  gradients.measure_clipping(speed.profile);
  std::optional<TraceOutcome> traced;
  LoopOutcome outcome = [&] {
    const StepWatcher watcher = watcher_of(progress, plan.loop().steps());
    if (plan.trace()) {
      traced = run_trace(plan, gradients, watcher, randomness_of(records.share_, speed));
      return std::move(traced->loop);
    }
    return run_private_loop(plan.loop(), {model.prior, &gradients, model.used_by_records},
                            plan.family(), plan.start(), watcher,
                            randomness_of(records.share_, speed));
  }();
  const std::vector<double>& centre = plan.start().coordinates.centre();
  const bool from_zero = centre == std::vector<double>(centre.size());
  ExecutedLoop loop =
      executed_loop(plan.loop(), outcome,
                    {.initial_values = plan.initial_name(),
                     .coordinates = from_zero ? "theta" : "whitened by mock records",
                     .scale = common_scale(plan.start())});
  if (model.precision == Precision::single_precision) loop.precision = "single";
  std::optional<ExecutedPrivacyPlan> privacy;
  if (outcome.completed) privacy.emplace(plan.privacy(), outcome);
  FittedPosterior fitted =
      fitted_posterior(std::move(outcome), std::move(loop), std::move(privacy));
  if (traced) add_measurements(fitted, *std::move(traced));
  return fitted;
}

}  // namespace dpvi
