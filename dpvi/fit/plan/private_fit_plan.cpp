#include <dpvi/fit/plan/private_fit_plan.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

#include <dpvi/fit/plan/lane_precision.hpp>

namespace dpvi {
namespace {

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

// Adds the noise of all gradient releases together; `before` is the number of phases before them,
// of information and of counts.
void add_measurements(ForecastRun& forecast, const LoopPlan& plan, std::ptrdiff_t before) {
  double precision = 0.0;
  for (const LoopPhase& phase : plan.phases) {
    if (&phase - plan.phases.data() < before) continue;
    precision += static_cast<double>(phase.steps) / std::pow(phase.grid.noise_multiplier(), 2);
  }
  forecast.noise_square = 1.0 / precision;
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

std::string initial_name(const FitSettings& settings, const MockStudy& study, bool by_counts) {
  if (settings.initial) return settings.initial->name;
  if (settings.langevin) return "zero";
  std::string name = study.unknown_columns.empty() ? "mock mode" : "zero";
  if (by_counts) return "counts of outcomes";
  return study.components_separated ? name + ", components separated" : name;
}

// Whether a fit by measurements simulates outcomes. Every simulated outcome has a gradient in all
// coordinates, which takes too long where there are many, as in most hierarchies.
bool affords_simulation(const TracePlan& trace) {
  constexpr std::size_t kMostCoordinates = 32;
  const bool hierarchy = trace.release->dimension() != trace.model->dimension();
  return !hierarchy && trace.release->dimension() <= kMostCoordinates;
}

// Reason to clip around zero, or an empty text if the law of the outcome can be used. A fit by
// measurements that clips around zero knows the bias from mock records and corrects it, which is as
// good as these are.
std::string reason_for_zero(const FitSettings& settings, const MockStudy& study,
                            const TracePlan* trace) {
  if (settings.clip_centre == ClipCentre::zero) return "as requested";
  if (settings.langevin) return "a Langevin chain bounds gradients around zero";
  if (settings.gradient == GradientMode::joint) return "the gradient is joint";
  if (settings.clip == ClipMode::normalised) return "gradients are normalised";
  // Stored rows hold the bins of counts or what simulation needs, not both.
  if (trace && trace->counts) return "outcomes are counted first";
  if (trace && !study.law.columns && !affords_simulation(*trace)) {
    return "outcomes are not enumerated, and simulating them takes too long";
  }
  return study.law.found() ? "" : study.law.description;
}

ClipPlan private_clipping(const PrivacyPlan& privacy, const FitSettings& settings,
                          const MockStudy& study, const TracePlan* trace) {
  const std::string reason = reason_for_zero(settings, study, trace);
  const ClipCentre centre = reason.empty() ? ClipCentre::law : ClipCentre::zero;
  const bool joint = settings.gradient == GradientMode::joint;
  const auto used = static_cast<std::size_t>(std::ranges::count(study.used_by_records, true));
  const std::size_t parameters = settings.family_of(study.coordinates.size())->parameter_count();
  ClipPlan plan = plan_clipping(settings.clip, settings.clip_bounds, study, privacy.run,
                                {.rows = study.records_in(settings.rows.value_or(kUndeclaredRows)),
                                 .dimension = joint ? parameters : used},
                                centre);
  plan.centre_reason = reason.empty() ? study.law.description : reason;
  return plan;
}

// What of the model a fit evaluates: with measurements, records in release coordinates. `law` has
// none if gradients are clipped around zero.
ModelToFit model_to_fit(const RecordModel& model, const Binding& binding, const OutcomeLaw& law,
                        std::size_t simulated, const std::optional<TracePlan>& trace) {
  const RecordModel& records = trace ? trace->release->records() : model;
  ModelToFit result{.tape = &records.tape(),
                    .prior = &model.prior(),
                    .used_by_records = records.used_by_records(),
                    .precision = choose_lane_precision(records, binding),
                    .unit = records.unit_width()};
  if (trace && trace->counts) result.bins = trace->counts->bins;
  if (law.columns) {
    result.outcome = trace ? trace->law.columns : law.columns;
  } else if (law.simulator) {
    result.simulation = outcome_simulation(
        trace ? trace->simulator : law.simulator, records.tape(),
        {.reals = binding.real_slots.size(), .integers = binding.integer_slots.size()}, simulated);
  }
  return result;
}

// Fits with few passes over the table can afford more simulated outcomes, which cost a share of
// 1 / (outcomes + 1) of the information less.
std::size_t simulated_outcomes(const PrivacyPlan& privacy) {
  constexpr std::size_t kOfAllRecords = 8, kOfSamples = 4;
  const bool all = std::ranges::all_of(
      privacy.run, [](const GaussianPhase& phase) { return phase.sampling_rate == 1.0; });
  return all ? kOfAllRecords : kOfSamples;
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
          .gradients = {},
          .law = {.columns = std::nullopt, .description = "the model has no mock records"}};
}

}  // namespace

PrivateFitPlan plan_private_fit(const RecordModel& model, const Binding& binding,
                                const PrivacyPlan& privacy, const FitSettings& settings,
                                const MockStudy& study, std::optional<TracePlan> trace) {
  const ClipPlan clip = private_clipping(privacy, settings, study, trace ? &*trace : nullptr);
  ModelToFit fitted =
      model_to_fit(model, binding, clip.centre == ClipCentre::law ? study.law : OutcomeLaw{},
                   simulated_outcomes(privacy), trace);
  return PrivateFitPlan({
      .model = std::move(fitted),
      .binding = binding,
      .privacy = privacy,
      .loop = make_loop_plan(privacy.run, settings, clip),
      .family = settings.family_of(model.dimension()),
      .start = private_start(settings, study),
      .initial_name = initial_name(settings, study, trace && trace->counts),
      .trace = std::move(trace),
  });
}

PrivateFitPlan plan_private_fit(const ModelToFit& model, const PrivacyPlan& privacy,
                                const FitSettings& settings) {
  const MockStudy study = no_study(model);
  return PrivateFitPlan({
      .model = model,
      .binding = {},
      .privacy = privacy,
      .loop = make_loop_plan(privacy.run, settings,
                             private_clipping(privacy, settings, study, nullptr)),
      .family = settings.family_of(model.used_by_records.size()),
      .start = private_start(settings, study),
      .initial_name = initial_name(settings, study, false),
  });
}

std::optional<NoiseForecast> forecast(const PrivateFitPlan& plan, const FitSettings& settings,
                                      const MockStudy& study) {
  if (!settings.rows) return std::nullopt;
  const ClipPlan& clip = plan.loop().clip;
  ForecastRun run{.clip_bound = clip.forecast_bound,
                  .gradient_bound = clip.forecast_bound * clip.gradient_share(),
                  .rows = study.records_in(*settings.rows),
                  .by_law = clip.centre == ClipCentre::law || plan.trace()};
  if (plan.trace()) {
    add_measurements(run, plan.loop(), plan.trace()->counts ? 2 : 1);
  } else {
    add_averaged_steps(run, plan.loop());
  }
  return forecast_noise(study, run);
}

}  // namespace dpvi
