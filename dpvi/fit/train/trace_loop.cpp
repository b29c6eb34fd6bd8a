#include <dpvi/fit/train/trace_loop.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include <dpvi/base/internal/dense_solvers.hpp>
#include <dpvi/fit/numerics/places.hpp>
#include <dpvi/fit/trace/count_inference_internal.hpp>
#include <dpvi/fit/trace/rough_prior_internal.hpp>
#include <dpvi/fit/trace/trace_inference_internal.hpp>
#include <dpvi/gradient/clip_target.hpp>

namespace dpvi {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr std::size_t kMockRecords = 2048;
// With several outcomes of each.
constexpr std::size_t kMockRecordsInTurn = 512;
// Of a mixture. Few of them are of a small component.
constexpr std::size_t kMockRecordsMixed = std::size_t{1} << 14;

// Mock records as the private step sees records: with simulated outcomes if it simulates them.
MockPopulation population_of(const PrivateFitPlan& plan) {
  const TracePlan& trace = *plan.trace();
  const auto& simulation = plan.model().simulation;
  const std::size_t of_one = trace.counts ? kMockRecordsMixed : kMockRecords;
  return {trace.release->records(),
          plan.binding(),
          trace.law,
          trace.simulator,
          simulation ? kMockRecordsInTurn : of_one,
          simulation ? simulation->count + 1 : 1};
}

// The identity matrix, row by row.
std::vector<double> unit_rows(std::size_t size) {
  std::vector<double> rows(size * size, 0.0);
  for (std::size_t i = 0; i < size; ++i) rows[i * size + i] = 1.0;
  return rows;
}

// Working coordinates for all of theta from a factor for the used parameters.
Coordinates whole_coordinates(const std::vector<double>& centre, const MatrixXd& factor,
                              const std::vector<std::size_t>& used) {
  const std::size_t size = centre.size();
  std::vector<double> rows = unit_rows(size);
  for (std::size_t k = 0; k < used.size(); ++k) {
    for (std::size_t l = 0; l <= k; ++l) {
      rows[used[k] * size + used[l]] = factor(static_cast<Index>(k), static_cast<Index>(l));
    }
  }
  return {centre, std::move(rows)};
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
        release_(*plan.trace()->release),
        used_(places_of(std::vector<bool>(release_.dimension(), true))),
        population_(population_of(plan)),
        above_(population_of(plan)),
        below_(population_of(plan)),
        inference_(std::in_place, population_, std::array{&above_, &below_}, facts_of(plan)),
        step_(plan.loop(), gradients, plan.start().coordinates, std::move(randomness)),
        points_(plan.loop().steps(), plan.loop().averaged_share, plan.trace()->model->dimension()),
        path_(plan.loop().steps(), plan.trace()->model->dimension()) {
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
        const Released released = measure(phase);
        ++done_;
        const std::size_t read = done_ - of_counts();
        if (read > 0 && (read <= 6 || read % 2 == 0)) inference_->update();
        if (!watcher(static_cast<std::int64_t>(done_), released)) return false;
      }
    }
    constexpr int kLastUpdates = 4;
    for (int i = 0; i < kLastUpdates; ++i) inference_->update();
    return true;
  }

  TraceOutcome outcome(bool completed) const {
    const TraceSite site = inference_->site();
    // The Gaussian follows once prior times site has been sampled.
    const std::size_t size = plan_.trace()->model->dimension();
    LoopOutcome loop{
        .parameters = plan_.family().parameters(std::vector<double>(size, 0.0), {unit_rows(size)}),
        .site_mean = {site.mean.begin(), site.mean.end()},
        .locations = points_,
        .location_factor = {},
        .samples = {}};
    loop.releases = step_.releases();
    loop.last_clip_bound = bound_;
    loop.completed = completed;
    loop.path = path_;
    return {.loop = std::move(loop),
            .first_bound = first_bound_,
            .site = site_of(site, site.noise_covariance + site.data_covariance),
            .site_without_noise = site_of(site, site.data_covariance),
            .measured = {.residual_square = inference_->residual_square(),
                         .residuals = inference_->residuals(),
                         .records = records_,
                         .records_sd = records_sd_,
                         .declared = plan_.trace()->records,
                         .counts = count_evidence()},
            .last_move = in_theta(inference_->last_step()),
            .clip_bias = in_theta(site.remaining_bias)};
  }

 private:
  Site site_of(const TraceSite& found, const MatrixXd& covariance) const {
    return {.used = release_.map()->entries(),
            .components = {{.weight = 1.0,
                            .mean = {found.mean.data(), found.mean.data() + found.mean.size()},
                            .precision = rows_of(pseudo_inverse(covariance))}},
            .map = release_.map()};
  }

  // The entries of parameters that are release coordinates themselves.
  std::vector<double> in_theta(const VectorXd& released) const {
    std::vector<double> all(plan_.trace()->model->dimension(), 0.0);
    const std::vector<std::size_t>& entries = release_.map()->entries();
    for (std::size_t k = 0; k < entries.size(); ++k) {
      all[entries[k]] = released[static_cast<Index>(k)];
    }
    return all;
  }

  static std::vector<double> start_in_theta(const PrivateFitPlan& plan) {
    std::vector<double> theta(plan.trace()->model->dimension());
    plan.start().coordinates.to_theta(plan.start().location, theta);
    return theta;
  }

  TraceFacts facts_of(const PrivateFitPlan& plan) const {
    const RoughPrior rough = rough_prior(plan.trace()->model->prior(), *release_.map());
    std::vector<double> start = release_.map()->evaluate(start_in_theta(plan));
    if (has_groups() || !release_.map()->is_selection()) start = rough.centre;
    return {.records = plan.trace()->records,
            .records_spread = plan.trace()->records_spread,
            .centre = plan.loop().clip.centre,
            .start = std::move(start),
            .used = used_,
            .unconstrained = release_.unbounded(),
            .prior = rough.gaussian};
  }

  // True if some numbers are used by few records, as the effects of groups are.
  bool has_groups() const { return release_.records().tape().rows().per_lane_rows > 0; }

  // The number of releases of counts, which come first.
  std::size_t of_counts() const { return plan_.trace()->counts ? 1 : 0; }

  Released measure(const LoopPhase& phase) {
    if (done_ < of_counts()) return measure_counts();
    return done_ == of_counts() ? measure_information(phase) : measure_gradient();
  }

  // Counts how many records fall into each bin, and starts at components that explain the counts.
  Released measure_counts() {
    CountPlan counts = *plan_.trace()->counts;
    counts.separated = start_in_theta(plan_);
    const std::vector<double> point = inference_->point();
    record_point(point);
    const Released released = step_.take(0, [&](std::span<const double>) {
      return StepPoint{
          .theta = point, .clip_bound = 1.0, .sum = ReleasedSum::counts, .bins = counts.bins.get()};
    });
    // An entry of a record is its bound over the root of the number of histograms.
    const double one = 1.0 / std::sqrt(static_cast<double>(counts.bins->histograms()));
    counted_.counts = VectorXd::Map(released.values().data(), std::ssize(released.values())) / one;
    counted_.noise_sd = released.origin().noise_multiplier * released.origin().clip_bound / one;
    counted_.records = plan_.trace()->records;
    counted_.records_spread = plan_.trace()->records_spread;
    const CountedStart start =
        start_from_counts(*plan_.trace()->model, plan_.binding(), counts, counted_);
    ambiguous_ = start.ambiguous;
    TraceFacts facts = facts_of(plan_);
    facts.start = release_.map()->evaluate(start.theta);
    facts.outcomes_alone = true;
    facts.known = known_from_counts(facts);
    inference_.emplace(population_, std::array{&above_, &below_}, std::move(facts));
    return released;
  }

  // What counts say about the components, as far as they are worth records. It is a small part of
  // what they tell, but enough to keep the first estimates near the start.
  DenseGaussian known_from_counts(const TraceFacts& facts) {
    constexpr double kMostRecords = 90.0, kShareInBins = 0.25;
    const auto counts = counted_.counts.array().max(0.0);
    const double noise = counted_.noise_sd * counted_.noise_sd;
    const double worth = (counts * counts / (counts + noise)).sum() /
                         static_cast<double>(plan_.trace()->counts->bins->histograms());
    population_.redraw(facts.start);
    const MatrixXd scores = population_.scores(facts.start).own_gradients();
    const MatrixXd of_one = scores.transpose() * scores / static_cast<double>(scores.rows());
    return {VectorXd::Map(facts.start.data(), std::ssize(facts.start)),
            std::min(kMostRecords, kShareInBins * worth) * of_one};
  }

  std::optional<CountEvidence> count_evidence() const {
    if (!plan_.trace()->counts || counted_.counts.size() == 0) return std::nullopt;
    constexpr std::size_t kSimulated = std::size_t{1} << 15;
    const OutcomeBins& bins = *plan_.trace()->counts->bins;
    MockPopulation population(release_.records(), plan_.binding(), plan_.trace()->law,
                              plan_.trace()->simulator, kSimulated);
    population.redraw(inference_->point());
    const CountMisfit misfit =
        misfit_of(counted_, bin_shares(population, bins), static_cast<double>(population.size()));
    return CountEvidence{.chi_square = misfit.chi_square,
                         .terms = misfit.terms,
                         .histograms = static_cast<double>(bins.histograms()),
                         .ambiguous = ambiguous_};
  }

  void record_point(const std::vector<double>& point) {
    const std::vector<double> theta = in_theta(VectorXd::Map(point.data(), std::ssize(point)));
    points_.add(theta);
    path_.add(static_cast<std::int64_t>(done_) + 1, theta);
  }

  Released release(ReleasedSum sum, double bound) {
    const std::vector<double> point = inference_->point();
    const Coordinates coordinates = whole_coordinates(point, inference_->factor(), used_);
    bound_ = bound;
    record_point(point);
    return step_.take(0, [&](std::span<const double>) {
      return StepPoint{
          .theta = point, .coordinates = &coordinates, .clip_bound = bound, .sum = sum};
    });
  }

  Released measure_gradient() {
    const double bound = inference_->best_bound(joint_multiplier(multipliers_, of_counts() + 1));
    if (done_ == of_counts() + 1) first_bound_ = bound;
    Released released = release(ReleasedSum::gradients, bound);
    const ReleaseOrigin& origin = released.origin();
    inference_->add({.theta = inference_->estimate(),
                     .factor = inference_->factor(),
                     .bound = bound,
                     .release = VectorXd::Map(released.values().data(), std::ssize(used_)),
                     .noise_sd = origin.noise_multiplier * origin.clip_bound});
    return released;
  }

  Released measure_information(const LoopPhase& phase) {
    constexpr double kUnshortened = 0.5;
    const double gradient_bound = inference_->gradient_norm(kUnshortened);
    const double bound = gradient_bound / std::sqrt(1.0 - kCountShare * kCountShare);
    Released released = release(ReleasedSum::information, bound);
    const std::size_t width = release_.dimension() + 1;
    const MatrixXd all = matrix_of(released.values(), width);
    const MatrixXd both = 0.5 * (all + all.transpose());
    InformationMeasurement measured{.theta = inference_->estimate(),
                                    .factor = inference_->factor(),
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
    inference_->set_information(std::move(measured));
    return released;
  }

  const PrivateFitPlan& plan_;
  const ReleaseModel& release_;
  std::vector<std::size_t> used_;
  MockPopulation population_, above_, below_;
  std::optional<TraceInference> inference_;  // a new one after counts
  PrivateStep step_;
  IterateTrace points_;
  IteratePath path_;
  std::vector<double> multipliers_;  // of all releases
  std::size_t done_ = 0;
  CountMeasurement counted_;
  bool ambiguous_ = false;  // other components explain the counts, too
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
