#include <dpvi/fit/training_loop.hpp>

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>

#include <dpvi/base/stopwatch.hpp>
#include <dpvi/fit/gaussian_in_theta.hpp>
#include <dpvi/fit/release_regression.hpp>
#include <dpvi/optim/adaptive_clip_bound.hpp>
#include <dpvi/optim/tail_average.hpp>
#include <dpvi/optim/travelled_steps.hpp>
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
                            .steps = static_cast<double>(plan.steps())},
                           {});
}

// One step's draw and release, with protection.
class PrivateSteps {
 public:
  PrivateSteps(const LoopPlan& plan, const LoopModel& model, const Coordinates& coordinates,
               LoopRandomness randomness)
      : plan_(plan),
        model_(model),
        coordinates_(coordinates),
        generator_(std::move(randomness.draws)),
        mechanism_(std::move(randomness.noise)),
        adaptive_(adaptive_bound(plan)),
        fixed_bound_(plan.clip.first_bound) {}

  void start(const LoopPhase& phase) {
    grid_ = phase.grid;
    sampler_.emplace(phase.sampling_rate, model_.record_count);
    if (phase.clip_bound) fixed_bound_ = *phase.clip_bound;
    if (!adaptive_) return;
    const AdaptiveClipPhase clip{.noise_multiplier = phase.grid.noise_multiplier(),
                                 .expected_batch = plan_.clip.rows * phase.sampling_rate.value()};
    if (phase.clip_bound) {
      adaptive_->start_phase(clip, *phase.clip_bound);
    } else {
      adaptive_->start_phase(clip);
    }
  }

  void draw(std::uint64_t step, std::span<double> eta) {
    SecureStream stream = generator_.stream({.label = StreamLabel::variational_draw, .step = step});
    fill_standard_normal(stream, eta);
  }

  double clip_bound() const { return adaptive_ ? adaptive_->value() : fixed_bound_; }

  bool is_joint() const { return plan_.gradient == GradientMode::joint; }

  // Of one entry of the next step's estimate of the full-data gradient.
  double gradient_noise_variance(double sampling_rate) const {
    const double sd = clip_bound() * grid_->noise_multiplier() / sampling_rate;
    return sd * sd;
  }

  Released release(std::uint64_t step, std::span<const double> theta,
                   std::span<const GradientTerm> terms) {
    if (!is_joint()) terms = {};
    const ClipSettings clip{.grid = *grid_,
                            .clip_bound = clip_bound(),
                            .dimension = is_joint() ? terms.size() : theta.size(),
                            .max_records = kMostRecords,
                            .rule = plan_.clip.rule,
                            .coordinate = plan_.clip.coordinate};
    sampling_.start();
    const std::vector<std::uint64_t> batch = sampler_->sample(generator_, step);
    sampling_.stop();
    gradients_.start();
    ClippedSum sum = model_.gradients->clipped_sum(clip, coordinates_, theta, batch, terms);
    gradients_.stop();
    noise_.start();
    Released released = mechanism_.release(std::move(sum));
    noise_.stop();
    if (adaptive_) adaptive_->move(released);
    return released;
  }

  LoopTimes times(double all) const {
    const double clipping = model_.gradients->clip_seconds();
    LoopTimes times{.sampling = sampling_.seconds(),
                    .gradients = gradients_.seconds() - clipping,
                    .clipping = clipping,
                    .noise = noise_.seconds()};
    times.update = all - times.all();
    return times;
  }

  // Records' gradients are so already.
  void by_coordinates(std::span<double>) const {}

 private:
  const LoopPlan& plan_;
  const LoopModel& model_;
  const Coordinates& coordinates_;
  std::optional<NoiseGrid> grid_;  // of the phase
  std::optional<PoissonSampler> sampler_;
  SecureGenerator generator_;
  GaussianMechanism mechanism_;
  std::optional<AdaptiveClipBound> adaptive_;
  double fixed_bound_;  // of the phase, where it is not adapted
  Stopwatch sampling_, gradients_, noise_;
};

// The same without.
class UnprotectedSteps {
 public:
  UnprotectedSteps(const LoopModel& model, const Coordinates& coordinates, std::uint64_t seed)
      : model_(model), coordinates_(coordinates), generator_(seed) {}

  void start(const LoopPhase& phase) { sampler_.emplace(phase.sampling_rate, model_.record_count); }

  void draw(std::uint64_t step, std::span<double> eta) {
    SeededStream stream = generator_.stream({.label = StreamLabel::variational_draw, .step = step});
    fill_standard_normal(stream, eta);
  }

  double clip_bound() const { return std::numeric_limits<double>::infinity(); }

  // Without clipping both ways are the same.
  bool is_joint() const { return false; }

  double gradient_noise_variance(double) const { return 0.0; }

  Released release(std::uint64_t step, std::span<const double> theta,
                   std::span<const GradientTerm>) {
    sampling_.start();
    const std::vector<std::uint64_t> batch = sampler_->sample_not_private(generator_, step);
    sampling_.stop();
    gradients_.start();
    UnclippedSum sum = model_.gradients->plain_sum(theta, batch);
    gradients_.stop();
    return mechanism_.release(std::move(sum));
  }

  LoopTimes times(double all) const {
    LoopTimes times{.sampling = sampling_.seconds(), .gradients = gradients_.seconds()};
    times.update = all - times.all();
    return times;
  }

  void by_coordinates(std::span<double> gradient) const { coordinates_.pull_back(gradient); }

 private:
  const LoopModel& model_;
  const Coordinates& coordinates_;
  std::optional<PoissonSampler> sampler_;
  SeededGenerator generator_;
  UnprotectedMechanism mechanism_;
  Stopwatch sampling_, gradients_;
};

// The iterates of one run.
template <class Steps>
class Iterates {
 public:
  Iterates(Steps& steps, const LoopModel& model, const GaussianFamily& family,
           const LoopStart& start, ScheduleKind schedule)
      : steps_(steps),
        prior_(*model.prior),
        family_(family),
        coordinates_(start.coordinates),
        used_(coordinates_.used(model.used_by_records)),
        parameters_(family.parameters_of_scales(start.location, start.scales)),
        eta_(family.draw_size()),
        z_(family.dimension()),
        theta_(family.dimension()),
        prior_gradient_(family.dimension()) {
    if (schedule == ScheduleKind::travelled) travelled_.emplace(start.location);
  }

  std::span<const double> parameters() const { return parameters_; }
  // Where the last direction was found, by the coordinates.
  std::span<const double> point() const { return z_; }
  const std::vector<bool>& used() const { return used_; }

  void take_step(Optimizer& optimizer, const UpdateDirection& direction, double size) {
    const std::vector<double> before = parameters_;
    optimizer.step(direction, size, parameters_);
    if (travelled_) travelled_->lengthen(before, parameters_);
  }

  // Where one step's release says to go.
  UpdateDirection next_direction(std::uint64_t step, double sampling_rate) {
    steps_.draw(step, eta_);
    family_.transform(parameters_, eta_, z_);
    coordinates_.to_theta(z_, theta_);
    prior_.value_and_gradient(theta_, prior_gradient_);
    coordinates_.pull_back(prior_gradient_);
    const std::vector<GradientTerm> terms = family_.gradient_terms(parameters_, eta_);
    return {steps_.release(step, theta_, terms), [&](std::span<const double> released) {
              std::vector<double> gradient(parameters_.size(), 0.0);
              if (steps_.is_joint()) {
                for (std::size_t i = 0; i < gradient.size(); ++i) {
                  if (used_[terms[i].coordinate]) gradient[i] = released[i] / sampling_rate;
                }
              } else {
                add_aligned(terms, released.first(theta_.size()), sampling_rate, gradient);
              }
              add_terms(terms, prior_gradient_, gradient);
              family_.add_entropy_gradient(parameters_, gradient);
              return gradient;
            }};
  }

  // Where it sends theta itself, of which the location is the iterate.
  UpdateDirection next_langevin_direction(std::uint64_t step, double sampling_rate,
                                          double step_size) {
    steps_.draw(step, eta_);
    const auto location = family_.location(parameters_);
    coordinates_.to_theta(location, theta_);
    prior_.value_and_gradient(theta_, prior_gradient_);
    coordinates_.pull_back(prior_gradient_);
    const double spread =
        missing_langevin_noise(step_size, steps_.gradient_noise_variance(sampling_rate));
    return {steps_.release(step, theta_, {}), [&](std::span<const double> released) {
              std::vector<double> at_z(released.begin(), released.begin() + std::ssize(theta_));
              for (double& entry : at_z) entry /= sampling_rate;
              steps_.by_coordinates(at_z);
              std::vector<double> gradient(parameters_.size(), 0.0);
              for (std::size_t i = 0; i < at_z.size(); ++i) {
                gradient[i] = at_z[i] + prior_gradient_[i] + spread * eta_[i];
              }
              return gradient;
            }};
  }

 private:
  void add_aligned(std::span<const GradientTerm> terms, std::span<const double> released,
                   double sampling_rate, std::span<double> gradient) const {
    std::vector<double> at_z(released.begin(), released.end());
    for (double& entry : at_z) entry /= sampling_rate;
    steps_.by_coordinates(at_z);
    for (std::size_t i = 0; i < at_z.size(); ++i) {
      if (!used_[i]) at_z[i] = 0.0;
    }
    add_terms(terms, at_z, gradient);
  }

  Steps& steps_;
  const UniformFunction& prior_;
  const GaussianFamily& family_;
  const Coordinates& coordinates_;
  std::vector<bool> used_;                   // by coordinate: whether it has to do with records
  std::vector<double> parameters_;           // of the family, by the coordinates
  std::optional<TravelledSteps> travelled_;  // of locations
  std::vector<double> eta_, z_, theta_, prior_gradient_;
};

// The coordinates' factor times a row-major matrix.
std::vector<double> in_theta(const Coordinates& coordinates, const std::vector<double>& rows) {
  const std::size_t size = rows.empty() ? 0 : coordinates.size();
  std::vector<double> result(rows.size(), 0.0);
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t k = 0; k <= i; ++k) {
      const double factor = coordinates.factor(i, k);
      if (factor == 0.0) continue;
      for (std::size_t j = 0; j < size; ++j) result[i * size + j] += factor * rows[k * size + j];
    }
  }
  return result;
}

std::unique_ptr<Optimizer> optimizer_of(const LoopPlan& plan, const GaussianFamily& family) {
  if (!plan.langevin) return make_optimizer(plan.optimizer, family.parameter_count());
  return std::make_unique<LangevinSteps>(plan.langevin->radius, family.dimension());
}

template <class Steps>
LoopOutcome run_loop(Steps& steps, const LoopPlan& plan, const LoopModel& model,
                     const GaussianFamily& family, const LoopStart& start,
                     const StepWatcher& watcher) {
  Iterates iterates(steps, model, family, start, plan.schedule);
  const auto optimizer = optimizer_of(plan, family);
  const StepSchedule schedule(plan.schedule, plan.learning_rate, plan.steps());
  TailAverage average(plan.steps(), plan.averaged_share, family.parameter_count());
  IterateTrace locations(plan.steps(), plan.averaged_share, family.dimension());
  ReleaseRegression releases(plan.steps(), plan.averaged_share, family.dimension());
  std::vector<double> location(family.dimension());
  std::vector<std::vector<double>> samples;
  std::int64_t t = 0;
  bool completed = true;
  Stopwatch all;
  all.start();
  for (const LoopPhase& phase : plan.phases) {
    steps.start(phase);
    for (std::int64_t i = 0; i < phase.steps && completed; ++i, ++t) {
      const auto number = static_cast<std::uint64_t>(t);
      const double rate = phase.sampling_rate.value(), size = schedule.step_size(t);
      const StepNoise noise{.variance = steps.gradient_noise_variance(rate),
                            .sampling = (1.0 - rate) / rate};
      const UpdateDirection direction = plan.langevin
                                            ? iterates.next_langevin_direction(number, rate, size)
                                            : iterates.next_direction(number, rate);
      if (noise.variance > 0.0 && !plan.langevin) {
        releases.add(iterates.point(), family.location(direction.values()), noise);
      }
      iterates.take_step(*optimizer, direction, size);
      average.add(iterates.parameters());
      start.coordinates.to_theta(family.location(iterates.parameters()), location);
      locations.add(location);
      if (plan.langevin &&
          plan.steps() - t <= static_cast<std::int64_t>(plan.langevin->kept_samples)) {
        samples.push_back(location);
      }
      completed = watcher(t + 1);
    }
  }
  all.stop();
  if (t == 0) average.add(iterates.parameters());
  const std::vector<double> scales = family.standard_deviations(average.mean());
  return {.parameters = gaussian_in_theta(family, start.coordinates, average.mean()),
          .locations = std::move(locations),
          .location_factor =
              in_theta(start.coordinates, releases.location_factor(scales, iterates.used())),
          .samples = std::move(samples),
          .last_clip_bound = steps.clip_bound(),
          .times = steps.times(all.seconds()),
          .completed = completed};
}

}  // namespace

std::string_view name_of(GradientMode mode) {
  return mode == GradientMode::aligned ? "aligned" : "joint";
}

LoopStart::LoopStart(Coordinates chosen, double scale)
    : coordinates(std::move(chosen)),
      location(coordinates.size(), 0.0),
      scales(coordinates.size(), scale) {}

LoopStart::LoopStart(Coordinates chosen, std::span<const double> theta,
                     std::span<const double> theta_scales)
    : coordinates(std::move(chosen)),
      location(coordinates.size()),
      scales(theta_scales.begin(), theta_scales.end()) {
  coordinates.from_theta(theta, location);
  for (std::size_t i = 0; i < scales.size(); ++i) scales[i] /= coordinates.factor(i, i);
}

std::int64_t LoopPlan::steps() const {
  std::int64_t sum = 0;
  for (const LoopPhase& phase : phases) sum += phase.steps;
  return sum;
}

LoopOutcome run_private_loop(const LoopPlan& plan, const LoopModel& model,
                             const GaussianFamily& family, const LoopStart& start,
                             const StepWatcher& watcher, LoopRandomness randomness) {
  PrivateSteps steps(plan, model, start.coordinates, std::move(randomness));
  return run_loop(steps, plan, model, family, start, watcher);
}

LoopOutcome run_unprotected_loop(const LoopPlan& plan, const LoopModel& model,
                                 const GaussianFamily& family, const LoopStart& start,
                                 std::uint64_t seed, const StepWatcher& watcher) {
  UnprotectedSteps steps(model, start.coordinates, seed);
  return run_loop(steps, plan, model, family, start, watcher);
}

}  // namespace dpvi
