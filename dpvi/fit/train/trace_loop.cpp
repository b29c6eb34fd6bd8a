#include <dpvi/fit/train/trace_loop.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

#include <dpvi/base/internal/dense_solvers.hpp>
#include <dpvi/fit/numerics/mode_finder.hpp>
#include <dpvi/fit/prepare/prior_draw.hpp>
#include <dpvi/fit/trace/trace_inference_internal.hpp>
#include <dpvi/gradient/clip_target.hpp>

namespace dpvi {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr std::size_t kMockRecords = 2048;

std::vector<std::size_t> places_of(const std::vector<bool>& marked) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < marked.size(); ++i) {
    if (marked[i]) places.push_back(i);
  }
  return places;
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + std::ssize(values) / 2;
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// Medians and spreads of draws from the prior, as if independent.
DenseGaussian rough_prior(const UniformFunction& prior, std::size_t size,
                          const std::vector<std::size_t>& used) {
  const auto count = static_cast<Index>(used.size());
  DenseGaussian rough{VectorXd::Zero(count), 1e-4 * MatrixXd::Identity(count, count)};
  constexpr std::size_t kDraws = 100;
  SeededStream stream = SeededGenerator(4).stream({.label = StreamLabel::predictive_draw});
  const auto draws = draws_from_prior(prior, size, kDraws, stream);
  if (draws.empty()) return rough;
  for (Index k = 0; k < count; ++k) {
    std::vector<double> entries;
    for (const auto& draw : draws) entries.push_back(draw[used[static_cast<std::size_t>(k)]]);
    rough.mean[k] = median(entries);
    for (double& entry : entries) entry = std::abs(entry - rough.mean[k]);
    const double sd = 1.4826 * median(entries);
    rough.precision(k, k) = 1.0 / std::max(sd * sd, 1e-8);
  }
  return rough;
}

// Working coordinates for all of theta from a factor for the used parameters.
Coordinates whole_coordinates(const std::vector<double>& centre, const MatrixXd& factor,
                              const std::vector<std::size_t>& used) {
  const std::size_t size = centre.size();
  std::vector<double> rows(size * size, 0.0);
  for (std::size_t i = 0; i < size; ++i) rows[i * size + i] = 1.0;
  for (std::size_t k = 0; k < used.size(); ++k) {
    for (std::size_t l = 0; l <= k; ++l) {
      rows[used[k] * size + used[l]] = factor(static_cast<Index>(k), static_cast<Index>(l));
    }
  }
  return {centre, std::move(rows)};
}

VectorXd used_entries(std::span<const double> values, const std::vector<std::size_t>& used) {
  VectorXd entries(std::ssize(used));
  for (std::size_t k = 0; k < used.size(); ++k) entries[static_cast<Index>(k)] = values[used[k]];
  return entries;
}

// For each used parameter: true if it is a parameter of the program without a constraint.
std::vector<bool> unconstrained_of(const StanModel& model, const std::vector<std::size_t>& used) {
  std::vector<bool> all;
  for (const ModelParameter& parameter : model.parameters) {
    all.insert(all.end(), static_cast<std::size_t>(parameter.free_size),
               parameter.transform == TransformKind::identity);
  }
  std::vector<bool> marked;
  for (const std::size_t place : used) marked.push_back(all[place]);
  return marked;
}

// Noise multiplier of all releases from `first` on, taken together.
double joint_multiplier(const std::vector<double>& multipliers, std::size_t first) {
  double precision = 0.0;
  for (std::size_t t = first; t < multipliers.size(); ++t) {
    precision += 1.0 / (multipliers[t] * multipliers[t]);
  }
  return 1.0 / std::sqrt(precision);
}

// Mode of prior times site, and the precisions there.
struct SitePosterior {
  VectorXd mean;
  MatrixXd covariance;        // total
  MatrixXd model_covariance;  // as if there were no privacy noise
};

SitePosterior posterior_of(const UniformFunction& prior, const std::vector<double>& start,
                           const std::vector<std::size_t>& used, const TraceSite& site) {
  const MatrixXd precision = pseudo_inverse(site.noise_covariance + site.data_covariance);
  const ValueAndGradientFunction target = [&](std::span<const double> theta,
                                              std::span<double> gradient) {
    double value = prior.value_and_gradient(theta, gradient);
    const VectorXd distance = used_entries(theta, used) - site.mean;
    const VectorXd slope = precision * distance;
    for (std::size_t k = 0; k < used.size(); ++k) gradient[used[k]] -= slope[static_cast<Index>(k)];
    return value - 0.5 * distance.dot(slope);
  };
  const Mode mode = find_mode(target, start);
  const auto size = static_cast<std::size_t>(start.size());
  MatrixXd total = square_matrix(mode.precision);
  MatrixXd model = total;
  const MatrixXd added = pseudo_inverse(site.data_covariance) - precision;
  for (std::size_t k = 0; k < used.size(); ++k) {
    for (std::size_t l = 0; l < used.size(); ++l) {
      model(static_cast<Index>(used[k]), static_cast<Index>(used[l])) +=
          added(static_cast<Index>(k), static_cast<Index>(l));
    }
  }
  return {VectorXd::Map(mode.theta.data(), static_cast<Index>(size)),
          pseudo_inverse(made_positive(total)), pseudo_inverse(made_positive(model))};
}

// The releases of a run, in order, and what is inferred from them.
class TraceRun {
 public:
  TraceRun(const PrivateFitPlan& plan, RecordGradients& gradients, LoopRandomness randomness)
      : plan_(plan),
        model_(*plan.trace()->model),
        used_(places_of(model_.used_by_records())),
        population_(model_, plan.binding(), plan.trace()->law, plan.trace()->simulator,
                    kMockRecords),
        inference_(population_, facts_of(plan)),
        step_(plan.loop(), gradients, plan.start().coordinates, std::move(randomness)),
        points_(plan.loop().steps(), plan.loop().averaged_share, model_.dimension()) {
    for (const LoopPhase& phase : plan.loop().phases) {
      multipliers_.insert(multipliers_.end(), static_cast<std::size_t>(phase.steps),
                          phase.grid.noise_multiplier());
    }
  }

  // Returns false if the watcher stopped the run.
  bool run(const StepWatcher& watcher) {
    for (const LoopPhase& phase : plan_.loop().phases) {
      step_.start(phase);
      for (std::int64_t i = 0; i < phase.steps; ++i) {
        const Released released = done_ == 0 ? measure_information(phase) : measure_gradient();
        ++done_;
        if (done_ <= 6 || done_ % 4 == 0) inference_.update();
        if (!watcher(static_cast<std::int64_t>(done_), released)) return false;
      }
    }
    constexpr int kLastUpdates = 4;
    for (int i = 0; i < kLastUpdates; ++i) inference_.update();
    return true;
  }

  TraceOutcome outcome(bool completed) const {
    const TraceSite site = inference_.site();
    const SitePosterior posterior = posterior_of(model_.prior(), inference_.point(), used_, site);
    const Index size = posterior.mean.size();
    const MatrixXd root =
        cholesky_factor(posterior.model_covariance).value_or(MatrixXd::Identity(size, size));
    const std::vector<double> mean(posterior.mean.data(), posterior.mean.data() + size);
    const Spectrum noise = spectrum_of(posterior.covariance - posterior.model_covariance);
    const MatrixXd factor = noise.vectors * noise.values.cwiseMax(0.0).cwiseSqrt().asDiagonal();
    LoopOutcome loop{.parameters = plan_.family().parameters(mean, {rows_of(root)}),
                     .locations = points_,
                     .location_factor = {},
                     .samples = {}};
    loop.releases = step_.releases();
    loop.last_clip_bound = bound_;
    loop.completed = completed;
    return {.loop = std::move(loop),
            .location_noise = LocationNoise::of_factor(rows_of(factor), mean.size()),
            .site = site_of(site),
            .measured = {.residual_square = inference_.residual_square(),
                         .residuals = inference_.residuals(),
                         .records = records_,
                         .records_sd = records_sd_},
            .last_move = in_theta(inference_.last_step()),
            .clip_bias = in_theta(site.remaining_bias)};
  }

 private:
  Site site_of(const TraceSite& found) const {
    const MatrixXd precision = pseudo_inverse(found.noise_covariance + found.data_covariance);
    return {.used = used_,
            .components = {{.weight = 1.0,
                            .mean = {found.mean.data(), found.mean.data() + found.mean.size()},
                            .precision = rows_of(precision)}}};
  }

  std::vector<double> in_theta(const VectorXd& used) const {
    std::vector<double> all(model_.dimension(), 0.0);
    for (std::size_t k = 0; k < used_.size(); ++k) all[used_[k]] = used[static_cast<Index>(k)];
    return all;
  }

  TraceFacts facts_of(const PrivateFitPlan& plan) const {
    std::vector<double> start(model_.dimension());
    plan.start().coordinates.to_theta(plan.start().location, start);
    return {.records = plan.trace()->records,
            .centre = plan.loop().clip.centre,
            .start = std::move(start),
            .used = used_,
            .unconstrained = unconstrained_of(model_.stan(), used_),
            .prior = rough_prior(model_.prior(), model_.dimension(), used_)};
  }

  Released release(ReleasedSum sum, double bound) {
    const std::vector<double> point = inference_.point();
    const Coordinates coordinates = whole_coordinates(point, inference_.factor(), used_);
    bound_ = bound;
    points_.add(point);
    return step_.take(0, [&](std::span<const double>) {
      return StepPoint{
          .theta = point, .coordinates = &coordinates, .clip_bound = bound, .sum = sum};
    });
  }

  Released measure_gradient() {
    const double bound = inference_.best_bound(joint_multiplier(multipliers_, 1));
    Released released = release(ReleasedSum::gradients, bound);
    const ReleaseOrigin& origin = released.origin();
    inference_.add({.theta = inference_.estimate(),
                    .factor = inference_.factor(),
                    .bound = bound,
                    .release = used_entries(released.values(), used_),
                    .noise_sd = origin.noise_multiplier * origin.clip_bound});
    return released;
  }

  Released measure_information(const LoopPhase& phase) {
    constexpr double kUnshortened = 0.9;
    const double gradient_bound = inference_.gradient_norm(kUnshortened);
    const double bound = gradient_bound / std::sqrt(1.0 - kCountShare * kCountShare);
    Released released = release(ReleasedSum::information, bound);
    const std::size_t width = model_.dimension() + 1;
    const MatrixXd all = matrix_of(released.values(), width);
    const MatrixXd both = 0.5 * (all + all.transpose());
    InformationMeasurement measured{.theta = inference_.estimate(),
                                    .factor = inference_.factor(),
                                    .bound = gradient_bound,
                                    .products = MatrixXd(std::ssize(used_), std::ssize(used_))};
    for (std::size_t k = 0; k < used_.size(); ++k) {
      for (std::size_t l = 0; l < used_.size(); ++l) {
        measured.products(static_cast<Index>(k), static_cast<Index>(l)) =
            both(static_cast<Index>(used_[k]), static_cast<Index>(used_[l]));
      }
    }
    const ReleaseOrigin& origin = released.origin();
    measured.noise_sd = origin.noise_multiplier * origin.clip_bound;
    const double one = count_of_one_record(phase.grid, bound);
    const auto last = static_cast<Index>(width - 1);
    measured.records = both(last, last) / one;
    measured.records_sd = measured.noise_sd / one;
    records_ = measured.records;
    records_sd_ = measured.records_sd;
    inference_.set_information(std::move(measured));
    return released;
  }

  const PrivateFitPlan& plan_;
  const RecordModel& model_;
  std::vector<std::size_t> used_;
  MockPopulation population_;
  TraceInference inference_;
  PrivateStep step_;
  IterateTrace points_;
  std::vector<double> multipliers_;  // of all releases
  std::size_t done_ = 0;
  double bound_ = 1.0;
  double records_ = 0.0, records_sd_ = 0.0;  // usable records, as measured
};

}  // namespace

TraceOutcome run_trace(const PrivateFitPlan& plan, RecordGradients& gradients,
                       const StepWatcher& watcher, LoopRandomness randomness) {
  TraceRun run(plan, gradients, std::move(randomness));
  const bool completed = run.run(watcher);
  return run.outcome(completed);
}

}  // namespace dpvi
