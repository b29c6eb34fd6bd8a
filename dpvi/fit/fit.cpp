#include <dpvi/fit/fit.hpp>

#include <Eigen/Dense>
#include <cmath>
#include <numeric>

#include <dpvi/base/error.hpp>
#include <dpvi/fit/mode_finder.hpp>
#include <dpvi/fit/training_loop.hpp>
#include <dpvi/random/secure_generator.hpp>
#include <dpvi/random/standard_normal.hpp>

namespace dpvi {
namespace {

LoopPlan loop_plan(const GaussianPhase& phase, const FitSettings& settings, const ClipPlan& clip) {
  const double steps = static_cast<double>(std::max<std::int64_t>(phase.steps, 1));
  return {.sampling_rate = SamplingRate::from_double(phase.sampling_rate),
          .grid = NoiseGrid(phase.noise_multiplier),
          .steps = phase.steps,
          .clip = clip,
          .learning_rate = settings.learning_rate.value_or(1.0 / std::sqrt(steps)),
          .averaged_share = settings.averaged_share};
}

LoopSettings shown(const LoopPlan& plan, const LoopOutcome& outcome, const char* initial_values) {
  LoopSettings loop;
  loop.clip = name_of(plan.clip.mode);
  loop.clip_bound = plan.clip.first_bound;
  loop.last_clip_bound = outcome.last_clip_bound;
  if (plan.clip.coordinate) {
    loop.clip_coordinate = plan.clip.coordinate->size;
    loop.unshortened_share = plan.clip.coordinate->unshortened_share;
  }
  loop.learning_rate = plan.learning_rate;
  loop.averaged_share = plan.averaged_share;
  loop.initial_values = initial_values;
  return loop;
}

StepWatcher watcher_of(const FitProgress& progress, std::int64_t steps) {
  return [&progress, steps](std::int64_t done) { return progress(done, steps); };
}

// The Gaussian around the posterior's mode.
Coordinates mode_coordinates(const RecordModel& model, RecordGradients& gradients,
                             std::span<const std::uint64_t> records, const GaussianFamily& family) {
  const auto posterior = [&](std::span<const double> theta, std::span<double> gradient) {
    const double prior = model.prior().value_and_gradient(theta, gradient);
    const auto sum = gradients.plain_value(theta, records);
    for (std::size_t i = 0; i < gradient.size(); ++i) gradient[i] += sum.gradient[i];
    return prior + sum.value;
  };
  const Mode mode = find_mode(posterior, std::vector<double>(family.dimension(), 0.0));
  const auto size = static_cast<Eigen::Index>(family.dimension());
  const auto precision = Eigen::Map<const Eigen::MatrixXd>(mode.precision.data(), size, size);
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  RowMajor factor = RowMajor::Zero(size, size);
  if (family.kind() == FamilyKind::full_rank) {
    factor = Eigen::MatrixXd(precision.inverse().llt().matrixL());
  } else {
    // The best independent Gaussian for a Gaussian posterior has the conditional precisions.
    factor.diagonal() = precision.diagonal().cwiseInverse().cwiseSqrt();
  }
  return {mode.theta, {factor.data(), factor.data() + factor.size()}};
}

}  // namespace

PrivateFitPlan plan_private_fit(const RecordModel& model, const PrivacyPlan& privacy,
                                const FitSettings& settings, const MockStudy& study) {
  const GaussianPhase& phase = privacy.run.at(0);
  const ClipPlan clip = plan_clipping(settings.clip, settings.clip_bound, study, phase,
                                      settings.rows.value_or(kUndeclaredRows));
  return {.privacy = privacy,
          .loop = loop_plan(phase, settings, clip),
          .family = GaussianFamily(settings.family, model.dimension()),
          .start = {study.coordinates, settings.initial_scale}};
}

std::optional<NoiseForecast> forecast(const PrivateFitPlan& plan, const FitSettings& settings,
                                      const MockStudy& study) {
  if (!settings.rows) return std::nullopt;
  const double averaged = plan.loop.averaged_share * static_cast<double>(plan.loop.steps);
  return forecast_noise(study, {.clip_bound = plan.loop.clip.forecast_bound,
                                .noise_multiplier = plan.loop.grid.noise_multiplier(),
                                .sampling_rate = plan.loop.sampling_rate.value(),
                                .averaged_steps = std::max(1.0, averaged),
                                .rows = *settings.rows});
}

FittedPosterior fit_privately(const RecordModel& model, const RecordTable& records,
                              const PrivateFitPlan& plan, const FitSpeed& speed,
                              const FitProgress& progress) {
  RecordGradients gradients(model.tape(), records, speed.threads);
  LoopOutcome outcome =
      run_private_loop(plan.loop, {&model.prior(), &gradients, records.record_count()}, plan.family,
                       plan.start, watcher_of(progress, plan.loop.steps));
  const bool from_zero = plan.start.coordinates.centre() == std::vector<double>(model.dimension());
  LoopSettings loop = shown(plan.loop, outcome, from_zero ? "zero" : "mock mode");
  if (records.precision() == Precision::single_precision) loop.precision = "single";
  return {std::move(outcome.parameters), loop, outcome.completed};
}

FittedPosterior fit_unprotected(const RecordModel& model, const RecordTable& records,
                                const GaussianPhase& phase, const FitSettings& settings,
                                std::uint64_t seed, const FitSpeed& speed,
                                const FitProgress& progress) {
  const LoopPlan plan = loop_plan(phase, settings, {});
  const GaussianFamily family(settings.family, model.dimension());
  RecordGradients gradients(model.tape(), records, speed.threads);
  std::vector<std::uint64_t> all(records.record_count());
  std::iota(all.begin(), all.end(), 0u);
  const LoopStart start{mode_coordinates(model, gradients, all, family), 1.0};
  LoopOutcome outcome =
      run_unprotected_loop(plan, {&model.prior(), &gradients, records.record_count()}, family,
                           start, seed, watcher_of(progress, phase.steps));
  const LoopSettings loop = shown(plan, outcome, "mode");
  return {std::move(outcome.parameters), loop, outcome.completed};
}

void add_draws(FitResult& result, const RecordModel& model, std::int64_t draws,
               std::optional<std::uint64_t> seed) {
  const GaussianFamily& family = result.family;
  const std::span<const double> parameters = result.family_parameters;
  std::vector<double> eta(family.dimension()), theta(family.dimension());
  const auto location = family.location(parameters);
  result.outputs = model.outputs();
  result.unconstrained_names = model.unconstrained_names();
  result.at_location = model.output_values(location);
  const auto add = [&](auto& stream) {
    for (std::int64_t i = 0; i < draws; ++i) {
      fill_standard_normal(stream, eta);
      family.transform(parameters, eta, theta);
      result.draws.push_back(model.output_values(theta));
      result.log_density.push_back(family.log_density(parameters, eta));
    }
  };
  const StreamAddress address{.label = StreamLabel::predictive_draw};
  if (seed) {
    SeededStream stream = SeededGenerator(*seed).stream(address);
    add(stream);
  } else {
    SecureStream stream = SecureGenerator().stream(address);
    add(stream);
  }
}

}  // namespace dpvi
