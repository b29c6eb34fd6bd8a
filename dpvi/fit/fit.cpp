#include <dpvi/fit/fit.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include <dpvi/base/error.hpp>
#include <dpvi/fit/internal/dense_solvers.hpp>
#include <dpvi/fit/lane_precision.hpp>
#include <dpvi/fit/mode_finder.hpp>
#include <dpvi/fit/training_loop.hpp>

namespace dpvi {
namespace {

// Step sizes in working coordinates, in which the optimum is about one unit from the start. Adam's
// random walk over the whole run covers about that distance. Windowed AdaGrad uses the published
// step size. Adam divides gradients by their size; for plain gradients the step size does so.
double default_learning_rate(OptimizerKind optimizer, const LoopPlan& plan) {
  const double adam = 1.0 / std::sqrt(static_cast<double>(std::max<std::int64_t>(plan.steps(), 1)));
  switch (optimizer) {
    case OptimizerKind::adam:
      break;
    case OptimizerKind::adagrad:
      return 0.5;
    case OptimizerKind::adagrad_window:
      return 0.1;
    case OptimizerKind::sgd: {
      double longest = 0.25 * plan.clip.rows;  // gradient norm one unit from the optimum
      for (const LoopPhase& phase : plan.phases) {
        longest = std::max(longest, plan.clip.first_bound * phase.grid.noise_multiplier() /
                                        phase.sampling_rate.value());
      }
      return adam / longest;
    }
  }
  return adam;
}

// Distance-scaled steps may grow without limit, which makes plain gradient steps diverge. The
// AdaGrad variants keep the published schedule.
ScheduleKind default_schedule(OptimizerKind optimizer) {
  return optimizer == OptimizerKind::adam ? ScheduleKind::travelled : ScheduleKind::constant;
}

LoopPlan loop_plan(std::span<const GaussianPhase> run, const FitSettings& settings,
                   const ClipPlan& clip) {
  LoopPlan plan{.phases = {},
                .clip = clip,
                .gradient = settings.langevin ? GradientMode::aligned : settings.gradient,
                .optimizer = settings.optimizer,
                .schedule = settings.schedule.value_or(default_schedule(settings.optimizer)),
                .averaged_share = settings.averaged_share,
                .langevin = settings.langevin};
  for (const GaussianPhase& phase : run) {
    const std::size_t place = plan.phases.size();
    plan.phases.push_back({.sampling_rate = SamplingRate::from_double(phase.sampling_rate),
                           .grid = NoiseGrid(phase.noise_multiplier),
                           .steps = phase.steps});
    if (settings.clip_bounds.size() > 1) {
      plan.phases.back().clip_bound = settings.clip_bounds.at(place);
    }
  }
  plan.learning_rate =
      settings.learning_rate.value_or(default_learning_rate(settings.optimizer, plan));
  return plan;
}

// Adds the noise and sampling variance of the averaged steps, which are the last ones. An adaptive
// bound is assumed to have reached its forecast value.
void add_averaged_steps(ForecastRun& forecast, const LoopPlan& plan) {
  double left = std::max(1.0, plan.averaged_share * static_cast<double>(plan.steps()));
  forecast.averaged_steps = left;
  const double all = left;
  for (auto phase = plan.phases.rbegin(); phase != plan.phases.rend() && left > 0.0; ++phase) {
    const double taken = std::min(left, static_cast<double>(phase->steps));
    const double rate = phase->sampling_rate.value();
    const double bound = plan.clip.coordinate ? forecast.clip_bound
                                              : phase->clip_bound.value_or(forecast.clip_bound);
    forecast.noise_square += taken / all * std::pow(phase->grid.noise_multiplier() / rate, 2) *
                             std::pow(bound / forecast.clip_bound, 2);
    forecast.sampling += taken / all * (1.0 - rate) / rate;
    left -= taken;
  }
}

// Names of the initial values and the coordinates, for the record of the run.
struct StartNames {
  std::string initial_values;
  std::string coordinates;
  std::optional<double> scale = std::nullopt;
};

// The common scale, or nullopt if the scales differ.
std::optional<double> common_scale(const LoopStart& start) {
  const std::vector<double>& scales = start.scales;
  const bool same =
      std::adjacent_find(scales.begin(), scales.end(), std::not_equal_to<>()) == scales.end();
  return same && !scales.empty() ? std::optional(scales[0]) : std::nullopt;
}

LoopSettings shown(const LoopPlan& plan, const LoopOutcome& outcome, const StartNames& start) {
  LoopSettings loop;
  loop.clip = name_of(plan.clip.mode);
  loop.clip_bound = plan.clip.first_bound;
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
  return [&progress, steps](std::int64_t done, const Released&) { return progress(done, steps); };
}

OutputFunction outputs_of(const RecordModel& model) {
  return [&model](std::span<const double> theta) { return model.output_values(theta); };
}

Mode highest_mode(const ValueAndGradientFunction& posterior,
                  std::span<const std::vector<double>> starts) {
  Mode best = find_mode(posterior, starts[0]);
  for (const std::vector<double>& start : starts.subspan(1)) {
    Mode mode = find_mode(posterior, start);
    if (mode.value > best.value || !std::isfinite(best.value)) best = std::move(mode);
  }
  return best;
}

std::vector<std::vector<double>> starts_of_climbs(const FitSettings& settings, std::size_t size) {
  if (settings.initial) return {settings.initial->theta};
  if (!settings.climbs.empty()) return settings.climbs;
  return {std::vector<double>(size, 0.0)};
}

// Coordinates of the Gaussian approximation at the posterior mode. The search for the mode begins
// at the initial values.
Coordinates mode_coordinates(const RecordModel& model, RecordGradients& gradients,
                             std::span<const std::uint64_t> records, const GaussianFamily& family,
                             const FitSettings& settings) {
  const auto posterior = [&](std::span<const double> theta, std::span<double> gradient) {
    const double prior = model.prior().value_and_gradient(theta, gradient);
    const auto sum = gradients.plain_value(theta, records);
    for (std::size_t i = 0; i < gradient.size(); ++i) gradient[i] += sum.gradient[i];
    return prior + sum.value;
  };
  const Mode mode = highest_mode(posterior, starts_of_climbs(settings, family.dimension()));
  const Eigen::MatrixXd precision = square_matrix(mode.precision);
  // The best independent Gaussian for a Gaussian posterior has its conditional precisions.
  Eigen::MatrixXd factor = precision.diagonal().cwiseInverse().cwiseSqrt().asDiagonal();
  if (family.kind() == FamilyKind::full_rank) {
    factor = cholesky_factor(pseudo_inverse(precision)).value_or(factor);
  }
  return {mode.theta, rows_of(factor)};
}

LoopStart start_of(const FitSettings& settings, const Coordinates& coordinates,
                   const std::vector<double>& otherwise, double scale) {
  std::vector<double> scales;
  if (settings.initial) scales = settings.initial->scales;
  for (std::size_t i = scales.size(); i < coordinates.size(); ++i) {
    scales.push_back(scale * coordinates.factor(i, i));
  }
  return {coordinates, settings.initial ? settings.initial->theta : otherwise, scales};
}

LoopStart private_start(const FitSettings& settings, const MockStudy& study) {
  if (!settings.langevin) {
    return start_of(settings, study.coordinates, study.start, settings.initial_scale);
  }
  // The steps of a Langevin chain and its bounding ball are defined in theta itself.
  const Coordinates theta = Coordinates::identity(study.coordinates.size());
  return start_of(settings, theta, theta.centre(), settings.initial_scale);
}

std::string initial_name(const FitSettings& settings, const MockStudy& study) {
  if (settings.initial) return settings.initial->name;
  if (settings.langevin) return "zero";
  std::string name = study.unknown_columns.empty() ? "mock mode" : "zero";
  return study.components_apart ? name + ", components apart" : name;
}

FittedPosterior fitted_posterior(LoopOutcome outcome, LoopSettings loop,
                                 const OutputFunction& outputs_at,
                                 std::optional<ExecutedPlan> privacy) {
  FitTrace trace =
      trace_of(outcome.locations, outcome.parameters, outcome.location_factor, outputs_at);
  return {std::move(privacy),         std::move(outcome.parameters),
          std::move(outcome.samples), std::move(loop),
          std::move(trace),           outcome.times,
          outcome.completed};
}

ClipPlan private_clipping(const PrivacyPlan& privacy, const FitSettings& settings,
                          const MockStudy& study) {
  const bool joint = settings.gradient == GradientMode::joint;
  const auto used = static_cast<std::size_t>(std::ranges::count(study.used_by_records, true));
  const std::size_t parameters = settings.family_of(study.coordinates.size()).parameter_count();
  return plan_clipping(settings.clip, settings.clip_bounds, study, privacy.run,
                       {.rows = study.records_in(settings.rows.value_or(kUndeclaredRows)),
                        .dimension = joint ? parameters : used});
}

// Placeholder for a study of models that have no mock records.
MockStudy no_study(const ModelToFit& model) {
  const std::size_t dimension = model.used_by_records.size();
  return {.theta = std::vector<double>(dimension, 0.0),
          .prior_precision = {},
          .record_precision = {},
          .unknown_columns = {"all"},
          .coordinates = Coordinates::identity(dimension),
          .used_by_records = model.used_by_records,
          .start = std::vector<double>(dimension, 0.0),
          .gradient_norms = {},
          .gradients = {}};
}

}  // namespace

GaussianFamily FitSettings::family_of(std::size_t dimension) const {
  return {family, dimension, family == FamilyKind::low_rank ? std::min(rank, dimension) : 0};
}

PrivateFitPlan plan_private_fit(const RecordModel& model, const Binding& binding,
                                const PrivacyPlan& privacy, const FitSettings& settings,
                                const MockStudy& study) {
  return PrivateFitPlan({
      .model = {.tape = &model.tape(),
                .prior = &model.prior(),
                .used_by_records = model.used_by_records(),
                .outputs_at = outputs_of(model),
                .precision = choose_lane_precision(model, binding)},
      .binding = binding,
      .privacy = privacy,
      .loop = loop_plan(privacy.run, settings, private_clipping(privacy, settings, study)),
      .family = settings.family_of(model.dimension()),
      .start = private_start(settings, study),
      .initial_name = initial_name(settings, study),
  });
}

PrivateFitPlan plan_private_fit(const ModelToFit& model, const PrivacyPlan& privacy,
                                const FitSettings& settings) {
  const MockStudy study = no_study(model);
  ModelToFit planned = model;
  if (!planned.outputs_at) {
    planned.outputs_at = [](std::span<const double> theta) {
      return std::vector<double>(theta.begin(), theta.end());
    };
  }
  return PrivateFitPlan({
      .model = std::move(planned),
      .binding = {},
      .privacy = privacy,
      .loop = loop_plan(privacy.run, settings, private_clipping(privacy, settings, study)),
      .family = settings.family_of(model.used_by_records.size()),
      .start = private_start(settings, study),
      .initial_name = initial_name(settings, study),
  });
}

std::optional<NoiseForecast> forecast(const PrivateFitPlan& plan, const FitSettings& settings,
                                      const MockStudy& study) {
  if (!settings.rows) return std::nullopt;
  const ClipPlan& clip = plan.loop().clip;
  ForecastRun run{.clip_bound = clip.forecast_bound,
                  .gradient_bound = clip.forecast_bound * clip.gradient_share(),
                  .rows = study.records_in(*settings.rows)};
  add_averaged_steps(run, plan.loop());
  return forecast_noise(study, run);
}

FittedPosterior fit_privately(PrivateRecords records, const FitSpeed& speed,
                              const FitProgress& progress) {
  const PrivateFitPlan& plan = records.plan();
  const ModelToFit& model = plan.model();
  RecordGradients gradients(*model.tape, records.table_, speed.threads);
  gradients.measure_clipping(speed.profile);
  LoopOutcome outcome =
      run_private_loop(plan.loop(), {model.prior, &gradients, model.used_by_records}, plan.family(),
                       plan.start(), watcher_of(progress, plan.loop().steps()));
  const std::vector<double>& centre = plan.start().coordinates.centre();
  const bool from_zero = centre == std::vector<double>(centre.size());
  LoopSettings loop = shown(plan.loop(), outcome,
                            {.initial_values = plan.initial_name(),
                             .coordinates = from_zero ? "theta" : "round for made-up records",
                             .scale = common_scale(plan.start())});
  if (model.precision == Precision::single_precision) loop.precision = "single";
  std::optional<ExecutedPlan> privacy;
  if (outcome.completed) privacy.emplace(plan.privacy(), outcome);
  return fitted_posterior(std::move(outcome), std::move(loop), model.outputs_at,
                          std::move(privacy));
}

FittedPosterior fit_unprotected(const RecordModel& model, const UnprotectedRecords& records,
                                const GaussianPhase& phase, const FitSettings& settings,
                                std::uint64_t seed, const FitSpeed& speed,
                                const FitProgress& progress) {
  ClipPlan clip;
  clip.rows = static_cast<double>(records.record_count());
  const LoopPlan plan = loop_plan({&phase, 1}, settings, clip);
  const GaussianFamily family = settings.family_of(model.dimension());
  RecordGradients gradients(model.tape(), records.table(), speed.threads);
  gradients.measure_clipping(speed.profile);
  std::vector<std::uint64_t> all(records.record_count());
  std::iota(all.begin(), all.end(), 0u);
  const LoopStart start(mode_coordinates(model, gradients, all, family, settings), 1.0);
  LoopOutcome outcome =
      run_unprotected_loop(plan, {&model.prior(), &gradients, model.used_by_records()}, family,
                           start, seed, watcher_of(progress, phase.steps));
  const std::string initial = settings.initial ? "mode from " + settings.initial->name : "mode";
  LoopSettings loop = shown(plan, outcome, {initial, "round at the mode", common_scale(start)});
  return fitted_posterior(std::move(outcome), std::move(loop), outputs_of(model), std::nullopt);
}

}  // namespace dpvi
