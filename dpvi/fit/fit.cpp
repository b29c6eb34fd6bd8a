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

LoopPlan loop_plan(const GaussianPhase& phase, const FitSettings& settings, double clip_bound) {
  const double steps = static_cast<double>(std::max<std::int64_t>(phase.steps, 1));
  return {.sampling_rate = SamplingRate::from_double(phase.sampling_rate),
          .grid = NoiseGrid(phase.noise_multiplier),
          .steps = phase.steps,
          .clip_bound = clip_bound,
          .learning_rate = settings.learning_rate.value_or(1.0 / std::sqrt(steps)),
          .averaged_share = settings.averaged_share};
}

LoopSettings shown(const LoopPlan& plan, const char* initial_values) {
  LoopSettings loop;
  loop.clip_bound = plan.clip_bound;
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

FittedPosterior fit_privately(const RecordModel& model, const RecordTable& records,
                              const PrivacyPlan& plan, const FitSettings& settings,
                              const MockStudy& study, const FitSpeed& speed,
                              const FitProgress& progress) {
  const GaussianPhase& phase = plan.run.at(0);
  const LoopPlan loop =
      loop_plan(phase, settings, settings.clip_bound.value_or(study.large_gradient_norm));
  const GaussianFamily family(settings.family, model.dimension());
  RecordGradients gradients(model.tape(), records, speed.threads);
  const std::vector<double> location(model.dimension(), 0.0);
  LoopOutcome outcome = run_private_loop(
      loop, {&model.prior(), &gradients, records.record_count()}, family,
      family.parameters(location, settings.initial_scale), watcher_of(progress, phase.steps));
  return {std::move(outcome.parameters), shown(loop, "zero"), outcome.completed};
}

FittedPosterior fit_unprotected(const RecordModel& model, const RecordTable& records,
                                const GaussianPhase& phase, const FitSettings& settings,
                                std::uint64_t seed, const FitSpeed& speed,
                                const FitProgress& progress) {
  const LoopPlan loop = loop_plan(phase, settings, 1.0);
  const GaussianFamily family(settings.family, model.dimension());
  RecordGradients gradients(model.tape(), records, speed.threads);
  std::vector<std::uint64_t> all(records.record_count());
  std::iota(all.begin(), all.end(), 0u);
  LoopOutcome outcome = run_unprotected_loop(
      loop, {&model.prior(), &gradients, records.record_count()}, family,
      mode_coordinates(model, gradients, all, family), seed, watcher_of(progress, phase.steps));
  return {std::move(outcome.parameters), shown(loop, "mode"), outcome.completed};
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
