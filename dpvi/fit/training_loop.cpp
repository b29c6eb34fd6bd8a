#include <dpvi/fit/training_loop.hpp>

#include <algorithm>
#include <limits>
#include <optional>

#include <dpvi/fit/gaussian_in_theta.hpp>
#include <dpvi/optim/adam.hpp>
#include <dpvi/optim/adaptive_clip_bound.hpp>
#include <dpvi/optim/tail_average.hpp>
#include <dpvi/privacy/gaussian_mechanism.hpp>
#include <dpvi/privacy/unprotected_mechanism.hpp>
#include <dpvi/random/poisson_sampling.hpp>
#include <dpvi/random/standard_normal.hpp>

namespace dpvi {
namespace {

// No table in memory has more records; a public bound on any batch.
constexpr std::uint64_t kMostRecords = std::uint64_t{1} << 32;

std::optional<AdaptiveClipBound> adaptive_bound(const LoopPlan& plan) {
  if (!plan.clip.coordinate) return std::nullopt;
  return AdaptiveClipBound({.first_bound = plan.clip.first_bound,
                            .first_spread = plan.clip.first_spread,
                            .coordinate = *plan.clip.coordinate,
                            .noise_multiplier = plan.grid.noise_multiplier(),
                            .expected_batch = plan.clip.expected_batch,
                            .steps = static_cast<double>(plan.steps)});
}

// One step's draw and release, with protection.
class PrivateSteps {
 public:
  PrivateSteps(const LoopPlan& plan, const LoopModel& model, const Coordinates& coordinates,
               LoopRandomness randomness)
      : plan_(plan),
        model_(model),
        coordinates_(coordinates),
        sampler_(plan.sampling_rate, model.record_count),
        generator_(std::move(randomness.draws)),
        mechanism_(std::move(randomness.noise)),
        adaptive_(adaptive_bound(plan)) {}

  void draw(std::uint64_t step, std::span<double> eta) {
    SecureStream stream = generator_.stream({.label = StreamLabel::variational_draw, .step = step});
    fill_standard_normal(stream, eta);
  }

  double clip_bound() const { return adaptive_ ? adaptive_->value() : plan_.clip.first_bound; }

  Released release(std::uint64_t step, std::span<const double> theta) {
    const ClipSettings clip{.grid = plan_.grid,
                            .clip_bound = clip_bound(),
                            .dimension = theta.size(),
                            .max_records = kMostRecords,
                            .rule = plan_.clip.rule,
                            .coordinate = plan_.clip.coordinate};
    Released released = mechanism_.release(model_.gradients->clipped_sum(
        clip, coordinates_, theta, sampler_.sample(generator_, step)));
    if (adaptive_) adaptive_->move(released);
    return released;
  }

  // Records' gradients are by the coordinates already, the prior's is by theta.
  void add_prior(std::span<double> gradient, std::span<double> prior) const {
    coordinates_.pull_back(prior);
    for (std::size_t i = 0; i < gradient.size(); ++i) gradient[i] += prior[i];
  }

 private:
  const LoopPlan& plan_;
  const LoopModel& model_;
  const Coordinates& coordinates_;
  PoissonSampler sampler_;
  SecureGenerator generator_;
  GaussianMechanism mechanism_;
  std::optional<AdaptiveClipBound> adaptive_;
};

// The same without.
class UnprotectedSteps {
 public:
  UnprotectedSteps(const LoopPlan& plan, const LoopModel& model, const Coordinates& coordinates,
                   std::uint64_t seed)
      : model_(model),
        coordinates_(coordinates),
        sampler_(plan.sampling_rate, model.record_count),
        generator_(seed) {}

  void draw(std::uint64_t step, std::span<double> eta) {
    SeededStream stream = generator_.stream({.label = StreamLabel::variational_draw, .step = step});
    fill_standard_normal(stream, eta);
  }

  double clip_bound() const { return std::numeric_limits<double>::infinity(); }

  Released release(std::uint64_t step, std::span<const double> theta) {
    return mechanism_.release(
        model_.gradients->plain_sum(theta, sampler_.sample_not_private(generator_, step)));
  }

  void add_prior(std::span<double> gradient, std::span<double> prior) const {
    for (std::size_t i = 0; i < gradient.size(); ++i) gradient[i] += prior[i];
    coordinates_.pull_back(gradient);
  }

 private:
  const LoopModel& model_;
  const Coordinates& coordinates_;
  PoissonSampler sampler_;
  SeededGenerator generator_;
  UnprotectedMechanism mechanism_;
};

template <class Steps>
LoopOutcome run_loop(Steps& steps, const LoopPlan& plan, const LoopModel& model,
                     const GaussianFamily& family, const LoopStart& start,
                     const StepWatcher& watcher) {
  const std::size_t dimension = family.dimension();
  const Coordinates& coordinates = start.coordinates;
  std::vector<double> parameters =
      family.parameters(std::vector<double>(dimension, 0.0), start.scale);
  Adam adam({.learning_rate = plan.learning_rate}, family.parameter_count());
  TailAverage average(plan.steps, plan.averaged_share, family.parameter_count());
  std::vector<double> eta(dimension), z(dimension), theta(dimension), prior(dimension);
  const double inverse_rate = 1.0 / plan.sampling_rate.value();
  bool completed = true;
  for (std::int64_t t = 0; t < plan.steps && completed; ++t) {
    const auto step = static_cast<std::uint64_t>(t);
    steps.draw(step, eta);
    family.transform(parameters, eta, z);
    coordinates.to_theta(z, theta);
    model.prior->value_and_gradient(theta, prior);
    const UpdateDirection direction(
        steps.release(step, theta), [&](std::span<const double> released) {
          std::vector<double> at_z(dimension), gradient(family.parameter_count());
          for (std::size_t i = 0; i < dimension; ++i) at_z[i] = inverse_rate * released[i];
          steps.add_prior(at_z, prior);
          family.pull_back(parameters, eta, at_z, gradient);
          return gradient;
        });
    adam.step(direction, parameters);
    average.add(parameters);
    completed = watcher(t + 1);
  }
  const std::vector<double>& last = plan.steps == 0 ? parameters : average.mean();
  return {gaussian_in_theta(family, coordinates, last), steps.clip_bound(), completed};
}

}  // namespace

LoopOutcome run_private_loop(const LoopPlan& plan, const LoopModel& model,
                             const GaussianFamily& family, const LoopStart& start,
                             const StepWatcher& watcher, LoopRandomness randomness) {
  PrivateSteps steps(plan, model, start.coordinates, std::move(randomness));
  return run_loop(steps, plan, model, family, start, watcher);
}

LoopOutcome run_unprotected_loop(const LoopPlan& plan, const LoopModel& model,
                                 const GaussianFamily& family, const LoopStart& start,
                                 std::uint64_t seed, const StepWatcher& watcher) {
  UnprotectedSteps steps(plan, model, start.coordinates, seed);
  return run_loop(steps, plan, model, family, start, watcher);
}

}  // namespace dpvi
