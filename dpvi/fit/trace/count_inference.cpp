#include <dpvi/fit/trace/count_inference_internal.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <dpvi/base/internal/dense_solvers.hpp>
#include <dpvi/fit/mock/outcome_law.hpp>
#include <dpvi/fit/numerics/mode_finder.hpp>
#include <dpvi/fit/prepare/prior_draw.hpp>
#include <dpvi/random/seeded_generator.hpp>

namespace dpvi {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr std::size_t kScreened = 100, kScreeningRecords = 512;
constexpr std::size_t kExchanged = 4, kSweeps = 3;
constexpr std::size_t kClimbs = 8, kClimbingRecords = 4096;
constexpr int kMostMoves = 30;
// Another explanation counts if it is worse by less than this, in nats, and at least this far away,
// in prior standard deviations of a component.
constexpr double kCloseInNats = 4.0, kApart = 0.2;

// The bin of each record in each histogram.
std::vector<std::int32_t> bins_of(const MockPopulation& population, const OutcomeBins& bins) {
  std::vector<std::int32_t> all(population.rows().size() * bins.histograms());
  for (std::size_t i = 0; i < population.rows().size(); ++i) {
    const MockRecord& record = population.rows()[i];
    bins.sort(record.reals, record.integers,
              std::span(all).subspan(i * bins.histograms(), bins.histograms()));
  }
  return all;
}

// Parameters, and the logarithm of the number of records relative to the declared one.
struct Point {
  std::vector<double> theta;
  double log_records = 0.0;
};

// The prediction of the counts at a point, with derivatives in theta and the logarithm.
struct Prediction {
  VectorXd counts;
  VectorXd variances;
  MatrixXd slopes;
};

// Climbs to parameters that explain the counts.
class Climber {
 public:
  Climber(const RecordModel& model, const Binding& binding, const CountPlan& plan,
          const CountMeasurement& measured, std::size_t simulated)
      : model_(model),
        bins_(*plan.bins),
        measured_(measured),
        population_(model, binding, OutcomeLaw{}, plan.simulator, simulated) {}

  struct Top {
    Point point;
    double badness = std::numeric_limits<double>::infinity();  // minus log posterior density
  };

  double badness(const Point& point) {
    return badness_under(point, predict(point, false).variances, true);
  }

  Top climb(Point start) {
    Top top{.point = std::move(start)};
    double damping = 1e-2;
    for (int step = 0; step < kMostMoves && damping < 1e6; ++step) {
      const Prediction here = predict(top.point, true);
      const double before = badness_under(top.point, here.variances, false);
      if (!std::isfinite(before)) return top;
      const auto [slope, precision] = quadratic(top.point, here);
      double gain = 0.0;
      for (; damping < 1e6; damping *= 10.0) {
        MatrixXd damped = precision;
        damped.diagonal() *= 1.0 + damping;
        const Point next = moved(top.point, solve_positive(damped, slope));
        gain = before - badness_under(next, here.variances, false);
        if (!(gain > 0.0)) continue;
        top.point = next;
        damping = std::max(0.2 * damping, 1e-6);
        break;
      }
      constexpr double kLittle = 0.01;
      if (!(gain > kLittle)) break;
    }
    top.badness = badness(top.point);
    return top;
  }

 private:
  struct Quadratic {
    VectorXd slope;
    MatrixXd precision;
  };

  Prediction predict(const Point& point, bool with_slopes) {
    const double simulated = static_cast<double>(population_.size());
    const double records = measured_.records * std::exp(point.log_records);
    const auto size = static_cast<Index>(point.theta.size());
    population_.redraw(point.theta);
    const std::vector<std::int32_t> bins = bins_of(population_, bins_);
    Prediction found{
        .counts = VectorXd::Zero(static_cast<Index>(bins_.size())), .variances = {}, .slopes = {}};
    const double one = records / simulated;
    for (const std::int32_t bin : bins) {
      if (bin != OutcomeBins::kNoBin) found.counts[bin] += one;
    }
    found.variances =
        (found.counts.array().max(one) * (1.0 + one) + std::pow(measured_.noise_sd, 2)).matrix();
    if (!with_slopes) return found;
    const MatrixXd scores = population_.scores(point.theta).gradients.front();
    found.slopes.setZero(found.counts.size(), size + 1);
    for (std::size_t i = 0; i < bins.size(); ++i) {
      if (bins[i] == OutcomeBins::kNoBin) continue;
      found.slopes.row(bins[i]).head(size) +=
          one * scores.row(static_cast<Index>(i / bins_.histograms()));
    }
    // The mean score is zero; that of simulated records is not quite.
    found.slopes.leftCols(size) -= found.counts / records * one * scores.colwise().sum();
    found.slopes.col(size) = found.counts;
    return found;
  }

  double badness_under(const Point& point, const VectorXd& variances, bool with_determinant) {
    const double prior = model_.prior().value(point.theta);
    if (!std::isfinite(prior)) return std::numeric_limits<double>::infinity();
    const VectorXd difference = measured_.counts - predict(point, false).counts;
    double value = 0.5 * difference.cwiseAbs2().cwiseQuotient(variances).sum();
    if (with_determinant) value += 0.5 * variances.array().log().sum();
    return value + 0.5 * std::pow(point.log_records / measured_.records_spread, 2) - prior;
  }

  Quadratic quadratic(const Point& point, const Prediction& here) const {
    const auto size = static_cast<Index>(point.theta.size());
    VectorXd slope(size + 1);
    const auto prior = [this](std::span<const double> theta, std::span<double> gradient) {
      return model_.prior().value_and_gradient(theta, gradient);
    };
    prior(point.theta, {slope.data(), point.theta.size()});
    const std::vector<double> curvature = minus_hessian(prior, point.theta);
    MatrixXd precision = MatrixXd::Zero(size + 1, size + 1);
    precision.topLeftCorner(size, size) =
        made_positive(MatrixXd::Map(curvature.data(), size, size));
    precision(size, size) = std::pow(measured_.records_spread, -2);
    slope[size] = -point.log_records * precision(size, size);
    const MatrixXd weighted = here.variances.cwiseInverse().asDiagonal() * here.slopes;
    slope += weighted.transpose() * (measured_.counts - here.counts);
    precision += weighted.transpose() * here.slopes;
    return {std::move(slope), std::move(precision)};
  }

  Point moved(const Point& from, const VectorXd& move) const {
    Point to = from;
    for (std::size_t i = 0; i < to.theta.size(); ++i) to.theta[i] += move[static_cast<Index>(i)];
    constexpr double kMost = 3.0;
    to.log_records =
        std::clamp(to.log_records + move[std::ssize(to.theta)], -kMost * measured_.records_spread,
                   kMost * measured_.records_spread);
    return to;
  }

  const RecordModel& model_;
  const OutcomeBins& bins_;
  const CountMeasurement& measured_;
  MockPopulation population_;
};

std::vector<double> prior_sds(const std::vector<std::vector<double>>& draws, std::size_t size) {
  std::vector<double> sds(size, 1.0);
  if (draws.empty()) return sds;
  constexpr double kSdsBetweenQuartiles = 1.349;
  for (std::size_t i = 0; i < size; ++i) {
    std::vector<double> entries;
    for (const std::vector<double>& draw : draws) entries.push_back(draw[i]);
    std::ranges::sort(entries);
    const double range = entries[entries.size() * 3 / 4] - entries[entries.size() / 4];
    if (range > 0.0 && std::isfinite(range)) sds[i] = range / kSdsBetweenQuartiles;
  }
  return sds;
}

// The places of a group's components at theta.
std::vector<double> places_at(const ComponentEntries& group, std::span<const double> theta) {
  std::vector<double> places;
  double sum = 0.0;
  for (std::size_t k = 0; k < group.entries.size(); ++k) {
    const double entry = theta[group.entries[k]];
    sum = group.ordered && k > 0 ? sum + std::exp(entry) : entry;
    places.push_back(sum);
  }
  return places;
}

void set_places(const ComponentEntries& group, std::vector<double> places,
                std::span<double> theta) {
  constexpr double kLeastDistance = 1e-3;
  if (group.ordered) std::ranges::sort(places);
  for (std::size_t k = 0; k < places.size(); ++k) {
    theta[group.entries[k]] = group.ordered && k > 0
                                  ? std::log(std::max(places[k] - places[k - 1], kLeastDistance))
                                  : places[k];
  }
}

// True if two components are at almost the same place: counts do not tell them apart.
bool some_coincide(std::span<const double> theta, std::span<const ComponentEntries> components,
                   std::span<const double> scales) {
  constexpr double kSame = 0.05;
  std::size_t count = 0;
  for (const ComponentEntries& group : components) count = std::max(count, group.entries.size());
  for (std::size_t k = 0; k < count; ++k) {
    for (std::size_t l = 0; l < k; ++l) {
      const bool apart = std::ranges::any_of(components, [&](const ComponentEntries& group) {
        const std::vector<double> places = places_at(group, theta);
        return std::abs(places[k % places.size()] - places[l % places.size()]) >
               kSame * scales[group.entries.front()];
      });
      if (!apart) return true;
    }
  }
  return false;
}

// Theta with its component k in the place that component l has at `other`.
std::vector<double> with_component_of(std::vector<double> theta, std::size_t k,
                                      std::span<const double> other, std::size_t l,
                                      std::span<const ComponentEntries> components) {
  for (const ComponentEntries& group : components) {
    const std::size_t count = group.entries.size();
    std::vector<double> places = places_at(group, theta);
    places[k % count] = places_at(group, other)[l % count];
    set_places(group, std::move(places), theta);
  }
  return theta;
}

// Points of small badness: the best draws, with components exchanged for those of other draws while
// this improves them. All components at once seldom lie where the records are.
class Screening {
 public:
  Screening(Climber& climber, const CountPlan& plan, std::vector<std::vector<double>> draws)
      : climber_(climber), plan_(plan), draws_(std::move(draws)) {
    for (const ComponentEntries& group : plan.components) {
      count_ = std::max(count_, group.entries.size());
    }
    for (const std::vector<double>& draw : draws_) {
      found_.push_back({.point = {.theta = draw}, .badness = climber_.badness({.theta = draw})});
    }
    std::ranges::sort(found_, {}, &Climber::Top::badness);
  }

  std::vector<Point> best(std::size_t count) {
    for (std::size_t i = 0; i < std::min(kExchanged, found_.size()); ++i) exchange(found_[i]);
    std::vector<Point> points;
    for (std::size_t i = 0; i < std::min(count, found_.size()); ++i) {
      points.push_back(found_[i].point);
    }
    return points;
  }

 private:
  void exchange(Climber::Top& top) {
    for (std::size_t sweep = 0; sweep < kSweeps; ++sweep) {
      for (std::size_t k = 0; k < count_; ++k) {
        // Different parts of the draws in each sweep.
        for (std::size_t i = sweep; i < draws_.size(); i += kSweeps) {
          Climber::Top other{.point = {.theta = with_component_of(top.point.theta, k, draws_[i], i,
                                                                  plan_.components)}};
          other.badness = climber_.badness(other.point);
          if (other.badness < top.badness) top = std::move(other);
        }
      }
    }
  }

  Climber& climber_;
  const CountPlan& plan_;
  std::vector<std::vector<double>> draws_;
  std::vector<Climber::Top> found_;
  std::size_t count_ = 0;
};

}  // namespace

VectorXd bin_shares(const MockPopulation& population, const OutcomeBins& bins) {
  VectorXd shares = VectorXd::Zero(static_cast<Index>(bins.size()));
  for (const std::int32_t bin : bins_of(population, bins)) {
    if (bin != OutcomeBins::kNoBin) shares[bin] += 1.0 / static_cast<double>(population.size());
  }
  return shares;
}

CountedStart start_from_counts(const RecordModel& model, const Binding& binding,
                               const CountPlan& plan, const CountMeasurement& measured) {
  SeededStream stream = SeededGenerator(11).stream({.label = StreamLabel::initial_value});
  std::vector<std::vector<double>> draws =
      draws_from_prior(model.prior(), model.dimension(), kScreened, stream);
  const std::vector<double> sds = prior_sds(draws, model.dimension());
  draws.push_back(plan.separated);
  Climber screening(model, binding, plan, measured, kScreeningRecords);
  Climber climber(model, binding, plan, measured, kClimbingRecords);
  std::vector<Climber::Top> tops;
  for (Point& start : Screening(screening, plan, std::move(draws)).best(kClimbs)) {
    tops.push_back(climber.climb(std::move(start)));
  }
  std::ranges::sort(tops, {}, &Climber::Top::badness);
  const Climber::Top& best = tops.front();
  const bool ambiguous = std::ranges::any_of(tops, [&](const Climber::Top& other) {
    return other.badness < best.badness + kCloseInNats &&
           distance_of_components(best.point.theta, other.point.theta, plan.components, sds) >
               kApart;
  });
  return {.theta = best.point.theta,
          .records = measured.records * std::exp(best.point.log_records),
          .ambiguous = ambiguous || some_coincide(best.point.theta, plan.components, sds)};
}

CountMisfit misfit_of(const CountMeasurement& measured, const VectorXd& shares, double simulated) {
  const double noise = std::pow(measured.noise_sd, 2);
  double records = measured.records;
  VectorXd variances;
  constexpr int kUpdates = 3;
  for (int i = 0; i < kUpdates; ++i) {
    const double one = records / simulated;
    variances = ((records * shares).array().max(one) * (1.0 + one) + noise).matrix();
    const VectorXd weighted = shares.cwiseQuotient(variances);
    records = std::max(1.0, weighted.dot(measured.counts) / weighted.dot(shares));
  }
  const VectorXd difference = measured.counts - records * shares;
  return {.chi_square = difference.cwiseAbs2().cwiseQuotient(variances).sum(),
          .terms = static_cast<double>(shares.size())};
}

}  // namespace dpvi
