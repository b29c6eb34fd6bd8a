#include <dpvi/fit/train/trace_loop.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

#include <dpvi/base/internal/dense_solvers.hpp>
#include <dpvi/fit/numerics/places.hpp>
#include <dpvi/fit/trace/rough_prior_internal.hpp>
#include <dpvi/fit/trace/site_posterior_internal.hpp>
#include <dpvi/fit/trace/trace_inference_internal.hpp>
#include <dpvi/gradient/clip_target.hpp>

namespace dpvi {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr std::size_t kMockRecords = 2048;

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
    const SitePosterior posterior = site_posterior(model_.prior(), site, used_, inference_.point());
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
            .first_bound = first_bound_,
            .site = site_of(site),
            .measured = {.residual_square = inference_.residual_square(),
                         .residuals = inference_.residuals(),
                         .records = records_,
                         .records_sd = records_sd_,
                         .declared = plan_.trace()->records},
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
            .records_spread = plan.trace()->records_spread,
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
    if (done_ == 1) first_bound_ = bound;
    Released released = release(ReleasedSum::gradients, bound);
    const ReleaseOrigin& origin = released.origin();
    inference_.add({.theta = inference_.estimate(),
                    .factor = inference_.factor(),
                    .bound = bound,
                    .release = entries_at(released.values(), used_),
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
  double bound_ = 1.0, first_bound_ = 1.0;
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
