#include <dpvi/fit/training_loop.hpp>

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

 private:
  const LoopPlan& plan_;
  const LoopModel& model_;
  PoissonSampler sampler_;
  SecureGenerator generator_;
  GaussianMechanism mechanism_;
};

class UnprotectedSteps {
 public:
  UnprotectedSteps(const LoopPlan& plan, const LoopModel& model, std::uint64_t seed)
      : model_(model), sampler_(plan.sampling_rate, model.record_count), generator_(seed) {}

  void draw(std::uint64_t step, std::span<double> eta) {
    SeededStream stream = generator_.stream({.label = StreamLabel::variational_draw, .step = step});
    fill_standard_normal(stream, eta);
  }

  Released release(std::uint64_t step, std::span<const double> theta) {
    return mechanism_.release(
        model_.gradients->plain_sum(theta, sampler_.sample_not_private(generator_, step)));
  }

 private:
  const LoopModel& model_;
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
  std::vector<double> eta(dimension), theta(dimension), prior(dimension);
  const double inverse_rate = 1.0 / plan.sampling_rate.value();
  if (plan.steps == 0) return {std::move(parameters), true};
  for (std::int64_t t = 0; t < plan.steps; ++t) {
    const auto step = static_cast<std::uint64_t>(t);
    steps.draw(step, eta);
    family.transform(parameters, eta, theta);
    model.prior->value_and_gradient(theta, prior);
    const UpdateDirection direction(
        steps.release(step, theta), [&](std::span<const double> released) {
          std::vector<double> at_theta(dimension), gradient(family.parameter_count());
          for (std::size_t i = 0; i < dimension; ++i) {
            at_theta[i] = inverse_rate * released[i] + prior[i];
          }
          family.pull_back(parameters, eta, at_theta, gradient);
          return gradient;
        });
    adam.step(direction, parameters);
    average.add(parameters);
    if (!watcher(t + 1)) return {average.mean(), false};
  }
  return {average.mean(), true};
}

}  // namespace

LoopOutcome run_private_loop(const LoopPlan& plan, const LoopModel& model,
                             const GaussianFamily& family, std::vector<double> initial,
                             const StepWatcher& watcher) {
  PrivateSteps steps(plan, model);
  return run_loop(steps, plan, model, family, std::move(initial), watcher);
}

LoopOutcome run_unprotected_loop(const LoopPlan& plan, const LoopModel& model,
                                 const GaussianFamily& family, std::vector<double> initial,
                                 std::uint64_t seed, const StepWatcher& watcher) {
  UnprotectedSteps steps(plan, model, seed);
  return run_loop(steps, plan, model, family, std::move(initial), watcher);
}

}  // namespace dpvi
