#include <dpvi/fit/training_loop.hpp>

#include <algorithm>

#include <dpvi/optim/adam.hpp>
#include <dpvi/optim/tail_average.hpp>
#include <dpvi/privacy/gaussian_mechanism.hpp>
#include <dpvi/privacy/unprotected_mechanism.hpp>
#include <dpvi/random/poisson_sampling.hpp>
#include <dpvi/random/standard_normal.hpp>

namespace dpvi {
namespace {

// No table in memory has more records; a public bound on any batch.
constexpr std::uint64_t kMostRecords = std::uint64_t{1} << 32;

class PrivateSteps {
 public:
  PrivateSteps(const LoopPlan& plan, const LoopModel& model)
      : plan_(plan), model_(model), sampler_(plan.sampling_rate, model.record_count) {}

  void draw(std::uint64_t step, std::span<double> eta) {
    SecureStream stream = generator_.stream({.label = StreamLabel::variational_draw, .step = step});
    fill_standard_normal(stream, eta);
  }

  Released release(std::uint64_t step, std::span<const double> theta) {
    const ClipSettings clip{.grid = plan_.grid,
                            .clip_bound = plan_.clip_bound,
                            .dimension = theta.size(),
                            .max_records = kMostRecords};
    return mechanism_.release(
        model_.gradients->clipped_sum(clip, theta, sampler_.sample(generator_, step)));
  }

  // Draws are thetas already.
  void to_theta(std::span<const double> drawn, std::span<double> theta) const {
    std::copy(drawn.begin(), drawn.end(), theta.begin());
  }
  void pull_back(std::span<double> /*gradient*/) const {}

 private:
  const LoopPlan& plan_;
  const LoopModel& model_;
  PoissonSampler sampler_;
  SecureGenerator generator_;
  GaussianMechanism mechanism_;
};

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

  Released release(std::uint64_t step, std::span<const double> theta) {
    return mechanism_.release(
        model_.gradients->plain_sum(theta, sampler_.sample_not_private(generator_, step)));
  }

  void to_theta(std::span<const double> drawn, std::span<double> theta) const {
    const std::size_t size = theta.size();
    for (std::size_t i = 0; i < size; ++i) {
      theta[i] = coordinates_.centre[i];
      for (std::size_t j = 0; j <= i; ++j) theta[i] += coordinates_.factor[i * size + j] * drawn[j];
    }
  }

  // From the gradient by theta to the gradient by z, in place: entry j needs only those behind it.
  void pull_back(std::span<double> gradient) const {
    const std::size_t size = gradient.size();
    for (std::size_t j = 0; j < size; ++j) {
      double sum = 0.0;
      for (std::size_t i = j; i < size; ++i) sum += coordinates_.factor[i * size + j] * gradient[i];
      gradient[j] = sum;
    }
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
                     const GaussianFamily& family, std::vector<double> parameters,
                     const StepWatcher& watcher) {
  const std::size_t dimension = family.dimension();
  Adam adam({.learning_rate = plan.learning_rate}, family.parameter_count());
  TailAverage average(plan.steps, plan.averaged_share, family.parameter_count());
  std::vector<double> eta(dimension), drawn(dimension), theta(dimension), prior(dimension);
  const double inverse_rate = 1.0 / plan.sampling_rate.value();
  if (plan.steps == 0) return {std::move(parameters), true};
  for (std::int64_t t = 0; t < plan.steps; ++t) {
    const auto step = static_cast<std::uint64_t>(t);
    steps.draw(step, eta);
    family.transform(parameters, eta, drawn);
    steps.to_theta(drawn, theta);
    model.prior->value_and_gradient(theta, prior);
    const UpdateDirection direction(
        steps.release(step, theta), [&](std::span<const double> released) {
          std::vector<double> at_theta(dimension), gradient(family.parameter_count());
          for (std::size_t i = 0; i < dimension; ++i) {
            at_theta[i] = inverse_rate * released[i] + prior[i];
          }
          steps.pull_back(at_theta);
          family.pull_back(parameters, eta, at_theta, gradient);
          return gradient;
        });
    adam.step(direction, parameters);
    average.add(parameters);
    if (!watcher(t + 1)) return {average.mean(), false};
  }
  return {average.mean(), true};
}

// The Gaussian over z, told as one over theta.
std::vector<double> in_theta(const GaussianFamily& family, const Coordinates& coordinates,
                             std::span<const double> parameters) {
  const std::size_t size = family.dimension();
  const auto location = family.location(parameters);
  const std::vector<double> inner = family.factor(parameters);
  std::vector<double> centre = coordinates.centre, factor(size * size, 0.0);
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t k = 0; k <= i; ++k) {
      const double outer = coordinates.factor[i * size + k];
      centre[i] += outer * location[k];
      for (std::size_t j = 0; j <= k; ++j) factor[i * size + j] += outer * inner[k * size + j];
    }
  }
  return family.parameters(centre, factor);
}

}  // namespace

LoopOutcome run_private_loop(const LoopPlan& plan, const LoopModel& model,
                             const GaussianFamily& family, std::vector<double> initial,
                             const StepWatcher& watcher) {
  PrivateSteps steps(plan, model);
  return run_loop(steps, plan, model, family, std::move(initial), watcher);
}

LoopOutcome run_unprotected_loop(const LoopPlan& plan, const LoopModel& model,
                                 const GaussianFamily& family, const Coordinates& coordinates,
                                 std::uint64_t seed, const StepWatcher& watcher) {
  UnprotectedSteps steps(plan, model, coordinates, seed);
  const std::vector<double> origin(family.dimension(), 0.0);
  LoopOutcome outcome =
      run_loop(steps, plan, model, family, family.parameters(origin, 1.0), watcher);
  outcome.parameters = in_theta(family, coordinates, outcome.parameters);
  return outcome;
}

}  // namespace dpvi
