#include <dpvi/fit/trace/trace_inference_internal.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include <Eigen/LU>
#include <Eigen/QR>

#include <dpvi/base/internal/dense_solvers.hpp>
#include <dpvi/random/standard_normal.hpp>

namespace dpvi {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// Relative error of what mock records predict at a distance from the estimate.
constexpr double kPredictionError = 0.1;
// Relative error of the clipping bias that mock records predict.
constexpr double kBiasError = 0.15;
// Relative error of what the uncertainty of the estimate adds to a release.
constexpr double kBendError = 0.3;
// The longest move of the estimate, in units of one record's information.
constexpr double kLongestMove = 0.7;
// The rough prior says at most as much as this many records.
constexpr double kMostPriorRecords = 100.0;
// Correlations of gradients below this are attributed to chance.
constexpr double kChanceCorrelation = 0.1;

VectorXd mean_of(const MatrixXd& rows) { return rows.colwise().mean().transpose(); }

MatrixXd product_mean(const MatrixXd& left, const MatrixXd& right) {
  return left.transpose() * right / static_cast<double>(left.rows());
}

// The norm that this share of mock gradients does not exceed.
double norm_quantile(const MockClipping& clipping, double share) {
  std::vector<double> norms(clipping.norms().begin(), clipping.norms().end());
  const auto place = static_cast<std::ptrdiff_t>(share * static_cast<double>(norms.size() - 1));
  std::nth_element(norms.begin(), norms.begin() + place, norms.end());
  return norms[static_cast<std::size_t>(place)];
}

// Sets the mean of the Gaussian with this mean and precision, divided by the prior. Returns its
// covariance. In directions of which the quotient says nothing, it stays at the given mean, with a
// precision that is small compared with that of the prior.
MatrixXd set_quotient(TraceSite& site, const VectorXd& mean, const MatrixXd& precision,
                      const DenseGaussian& prior) {
  constexpr double kNothing = 1e-3;
  const Spectrum left = spectrum_of(precision - prior.precision);
  const VectorXd slope =
      left.vectors.transpose() * (precision * mean - prior.precision * prior.mean);
  VectorXd values = left.values, place = left.vectors.transpose() * mean;
  for (Index k = 0; k < values.size(); ++k) {
    const VectorXd direction = left.vectors.col(k);
    const double least = kNothing * direction.dot(prior.precision * direction);
    if (values[k] > least) {
      place[k] = slope[k] / values[k];
    } else {
      values[k] = least;
    }
  }
  site.mean = left.vectors * place;
  return left.vectors * values.cwiseInverse().asDiagonal() * left.vectors.transpose();
}

}  // namespace

TraceInference::TraceInference(MockPopulation& population, std::array<MockPopulation*, 2> around,
                               TraceFacts facts)
    : population_(population), around_(around), facts_(std::move(facts)) {
  estimate_.resize(std::ssize(facts_.used));
  for (std::size_t k = 0; k < facts_.used.size(); ++k) {
    estimate_[static_cast<Index>(k)] = facts_.start[facts_.used[k]];
  }
  clip_bias_ = VectorXd::Zero(estimate_.size());
  bend_shift_ = clip_bias_;
  columns_ = MatrixXd::Identity(estimate_.size(), estimate_.size());
  sizes_ = VectorXd::Ones(estimate_.size());
  previous_move_ = VectorXd::Zero(estimate_.size());
  damping_ = sizes_;
  add_what_is_known();
  read_all();
  limit_prior();
  add_what_is_known();
}

void TraceInference::add_what_is_known() {
  before_ = facts_.prior;
  if (!facts_.known) return;
  const VectorXd slope =
      before_.precision * before_.mean + facts_.known->precision * facts_.known->mean;
  before_.precision += facts_.known->precision;
  before_.mean = solve_positive(before_.precision, slope);
}

// A prior may have infinite mass where a scale is 0: its draws then say that effects are 0.
void TraceInference::limit_prior() {
  for (Index k = 0; k < estimate_.size(); ++k) {
    const double touched = (score_.col(k).array() != 0.0).cast<double>().mean();
    const double one = information_(k, k) / std::max(touched, 1e-12);
    double& precision = facts_.prior.precision(k, k);
    if (one > 0.0) precision = std::min(precision, kMostPriorRecords * one);
  }
}

std::vector<double> TraceInference::whole(const VectorXd& theta) const {
  std::vector<double> all = facts_.start;
  for (std::size_t k = 0; k < facts_.used.size(); ++k) {
    all[facts_.used[k]] = theta[static_cast<Index>(k)];
  }
  return all;
}

// Where mock records, as they are, have the same law as corrected ones have at theta.
std::vector<double> TraceInference::mock_point(const VectorXd& theta) const {
  const VectorXd there = estimate_ + sizes_.asDiagonal() * (theta - estimate_);
  return whole(columns_.transpose() * there);
}

// What the scores of mock records would be if their information were that of real ones.
MockScores TraceInference::scores_at(const VectorXd& theta,
                                     const MockPopulation& population) const {
  MockScores scores = population.scores(mock_point(theta));
  for (MatrixXd& gradients : scores.gradients) {
    gradients = used_columns(gradients) * columns_.transpose() * sizes_.asDiagonal();
  }
  return scores;
}

// By how much real records differ from mock ones in the information about a coefficient, beyond
// what noise explains. Small differences are corrected; columns that are ten times smaller than
// mock columns cannot be told from zero. More information than expected may be due to outcomes that
// scatter more than the program says. `mock` is the mean of the released products over mock
// records.
void TraceInference::compare_information(const MatrixXd& mock) {
  constexpr double kSds = 2.0;
  // Of the logarithm of the ratio, where mock records are good enough to be corrected.
  constexpr double kSpreadBelow = 1.0, kSpreadAbove = 2.0, kLeastRatio = 1e-6;
  const InformationMeasurement& seen = *information_release_;
  const Index size = mock.rows();
  const MatrixXd inverse_factor =
      seen.factor.triangularView<Eigen::Lower>().solve(MatrixXd::Identity(size, size));
  const std::vector<bool> common = commonly_touched();
  information_residual_ = 0.0;
  for (Index k = 0; k < size; ++k) {
    if (!common[static_cast<std::size_t>(k)]) continue;
    const VectorXd direction = inverse_factor.col(k);
    const double one = facts_.records * std::max(direction.dot(mock * direction), 1e-300);
    const double ratio = direction.dot(seen.products * direction) / one;
    const double margin = kSds * seen.noise_sd * direction.squaredNorm() / one;
    const double nearest =
        std::log(std::max(std::clamp(1.0, ratio - margin, ratio + margin), kLeastRatio));
    const double residual = nearest / (nearest < 0.0 ? kSpreadBelow : kSpreadAbove);
    information_residual_ = std::max(information_residual_, std::abs(residual));
  }
}

MatrixXd TraceInference::used_columns(const MatrixXd& all) const {
  MatrixXd kept(all.rows(), std::ssize(facts_.used));
  for (std::size_t k = 0; k < facts_.used.size(); ++k) {
    kept.col(static_cast<Index>(k)) = all.col(static_cast<Index>(facts_.used[k]));
  }
  return kept;
}

// The number of records from its measurement and from what was declared, on a logarithmic scale.
void TraceInference::set_information(InformationMeasurement measurement) {
  const double declared = std::log(facts_.records);
  const double prior = std::pow(facts_.records_spread, -2);
  const double variance = std::pow(measurement.records_sd, 2);
  double value = declared, precision = prior;
  constexpr int kSteps = 50;
  for (int i = 0; i < kSteps; ++i) {
    const double records = std::exp(value);
    precision = prior + records * records / variance;
    const double slope =
        records * (measurement.records - records) / variance - prior * (value - declared);
    value += std::clamp(slope / precision, -0.5, 0.5);
  }
  facts_.records = std::exp(value);
  facts_.records_spread = 1.0 / std::sqrt(precision);
  information_release_ = std::move(measurement);
}

std::vector<bool> TraceInference::commonly_touched() const {
  std::vector<bool> common(facts_.used.size());
  for (std::size_t k = 0; k < common.size(); ++k) {
    const auto touched = (score_.col(static_cast<Index>(k)).array() != 0.0).cast<double>();
    common[k] = facts_.unconstrained[k] && touched.mean() > 0.5;
  }
  return common;
}

// Compares the released information with that of mock records at the same point.
void TraceInference::correct_curvature() {
  population_.redraw(mock_point(estimate_));
  score_ = used_columns(population_.scores(mock_point(estimate_)).own_gradients());
  curvature_ = facts_.outcomes_alone ? known_curvature(commonly_touched())
                                     : unknown_curvature(commonly_touched());
  if (!information_release_) return;
  const InformationMeasurement& seen = *information_release_;
  MockScores scores = population_.scores(whole(seen.theta));
  for (MatrixXd& gradients : scores.gradients) gradients = used_columns(gradients);
  const MatrixXd clipped = MockClipping(scores, seen.factor, ClipCentre::zero).clipped(seen.bound);
  const MatrixXd expected = product_mean(clipped, clipped);
  compare_information(expected);
  if (facts_.outcomes_alone) return;
  const Spectrum mock = spectrum_of(expected);
  const VectorXd values = mock.values.cwiseMax(1e-3 * mock.values.maxCoeff());
  const MatrixXd root = mock.vectors * values.cwiseSqrt().asDiagonal() * mock.vectors.transpose();
  const MatrixXd inverse_root =
      mock.vectors * values.cwiseSqrt().cwiseInverse().asDiagonal() * mock.vectors.transpose();
  const MatrixXd measured = inverse_root * seen.products * inverse_root / facts_.records;
  const VectorXd noise = seen.noise_sd / facts_.records * (inverse_root * inverse_root).diagonal();
  curvature_ = infer_curvature(measured, noise, commonly_touched());
  const Index size = root.rows();
  MatrixXd between = curvature_.log_ratio;
  for (Index k = 0; k < size; ++k) {
    if (curvature_.common[static_cast<std::size_t>(k)]) continue;
    sizes_[k] = std::exp(0.5 * between(k, k));
    between(k, k) = 0.0;
  }
  const MatrixXd half = root * exponential(0.5 * between) * inverse_root;
  const MatrixXd inverse_factor =
      seen.factor.triangularView<Eigen::Lower>().solve(MatrixXd::Identity(size, size));
  columns_ = inverse_factor.transpose() * half * seen.factor.transpose();
  for (Index k = 0; k < size; ++k) {
    if (curvature_.common[static_cast<std::size_t>(k)]) continue;
    columns_.row(k) = columns_.col(k).transpose() = VectorXd::Unit(size, k).transpose();
  }
}

double TraceInference::gradient_norm(double share) const {
  return std::max(norm_quantile(MockClipping(scores_, factor_, ClipCentre::zero), share), 1e-9);
}

void TraceInference::add(GradientMeasurement measurement) {
  measurements_.push_back(std::move(measurement));
}

// Reads all measurements with outcomes drawn at the present estimate.
void TraceInference::read_all() {
  correct_curvature();
  population_.redraw(mock_point(estimate_));
  redraw_around();
  scores_ = scores_at(estimate_, population_);
  score_ = scores_.own_gradients();
  information_ = product_mean(score_, score_);
  set_factor();
  bend_.resize(0);
  if (!measurements_.empty() && spread_.size() > 0) bend_ = bend_at(measurements_.back());
  if (simulates()) {
    read_some();
  } else {
    readings_.clear();
    for (const GradientMeasurement& one : measurements_) readings_.push_back(reading_of(one));
  }
  set_variances();
  set_data_covariance();
}

// Slopes change little from one estimate to the next. New measurements are read, and a share of
// the others.
void TraceInference::read_some() {
  constexpr std::size_t kTurns = 4;
  ++rounds_;
  const std::size_t known = readings_.size();
  readings_.resize(measurements_.size());
  for (std::size_t t = 0; t < measurements_.size(); ++t) {
    const GradientMeasurement& one = measurements_[t];
    Reading& reading = readings_[t];
    if (t >= known || (t + rounds_) % kTurns == 0) reading.slope = slope_along(one);
    reading.offset = reading.slope * (estimate_ - one.theta);
    reading.distance = reading.offset.norm();
    if (bend_.size() > 0) reading.offset += one.factor.transpose() * bend_;
  }
}

// Clipped without bias, a release is zero on average where the outcomes have the law of its point,
// whatever the rest of the records is. The slope between that point and the estimate is the mean of
// those at both.
MatrixXd TraceInference::slope_along(const GradientMeasurement& measurement) {
  const MockClipping here(scores_, measurement.factor, facts_.centre);
  const MatrixXd slope = product_mean(here.clipped(measurement.bound), score_);
  population_.redraw(mock_point(measurement.theta));
  const MockScores scores = scores_at(measurement.theta, population_);
  const MockClipping there(scores, measurement.factor, facts_.centre);
  return 0.5 * (slope + product_mean(there.clipped(measurement.bound), scores.own_gradients()));
}

TraceInference::Reading TraceInference::reading_of(const GradientMeasurement& measurement) const {
  const MatrixXd there =
      MockClipping(scores_at(measurement.theta, population_), measurement.factor, facts_.centre)
          .clipped(measurement.bound);
  const MockClipping here(scores_, measurement.factor, facts_.centre);
  const MatrixXd here_clipped = here.clipped(measurement.bound);
  Reading reading;
  reading.slope = product_mean(there, score_);
  // At the estimate the mean of unclipped gradients is known to be zero; the difference to the
  // clipped ones has less scatter than their own mean.
  reading.offset = mean_of(there) - mean_of(here_clipped);
  reading.distance = reading.offset.norm();
  if (facts_.centre == ClipCentre::zero) {
    reading.offset -= mean_of(here.gradients()) - mean_of(here_clipped);
  }
  if (bend_.size() > 0) reading.offset += measurement.factor.transpose() * bend_;
  return reading;
}

// Draws outcomes at parameters on either side of the estimate, as far from it as they may be.
void TraceInference::redraw_around() {
  if (spread_.size() == 0) return;
  SeededStream stream = SeededGenerator(6).stream({.label = StreamLabel::predictive_draw});
  std::vector<std::vector<double>> above, below;
  VectorXd normal(estimate_.size());
  for (std::size_t b = 0; b < kOutcomePoints; ++b) {
    for (double& entry : normal) entry = standard_normal(stream);
    const VectorXd move = spread_ * normal;
    above.push_back(whole(columns_.transpose() * (estimate_ + move)));
    below.push_back(whole(columns_.transpose() * (estimate_ - move)));
  }
  around_[0]->redraw(above);
  around_[1]->redraw(below);
}

// Parameters differ from the estimate, and a release is not linear in the difference: residuals,
// for example, are larger than at the estimate, whichever way the parameters differ. Returns the
// mean of what this adds to a release per record, in theta. It is smaller where mock records leave
// it uncertain.
VectorXd TraceInference::bend_at(const GradientMeasurement& measurement) const {
  const ClipCentre centre = simulates() ? ClipCentre::zero : facts_.centre;
  MatrixXd difference =
      -MockClipping(scores_at(measurement.theta, population_), measurement.factor, centre)
           .clipped(measurement.bound);
  for (const MockPopulation* side : around_) {
    difference +=
        0.5 * MockClipping(scores_at(measurement.theta, *side), measurement.factor, centre)
                  .clipped(measurement.bound);
  }
  const double count = static_cast<double>(difference.rows());
  VectorXd bend = VectorXd::Zero(estimate_.size());
  for (Index k = 0; k < bend.size(); ++k) {
    const double mean = difference.col(k).mean();
    const double variance = (difference.col(k).array() - mean).square().sum() / (count * count);
    bend[k] = mean * mean * mean / std::max(mean * mean + variance, 1e-300);
  }
  return measurement.factor.transpose().triangularView<Eigen::Upper>().solve(bend);
}

// The nearest measurements that together have the smallest error. A prediction is wrong by a share
// of its own size, and predictions for different points err alike, so that averaging more of them
// lowers the noise but not that error. Other measurements are left out.
void TraceInference::set_variances() {
  const double size = static_cast<double>(estimate_.size());
  std::vector<std::size_t> order(readings_.size());
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::sort(order, {}, [&](std::size_t t) { return readings_[t].distance; });
  const double share = std::hypot(kPredictionError, curvature_.spread * std::sqrt(size));
  double weight = 0.0, distance = 0.0, best = std::numeric_limits<double>::infinity();
  double inflation = 1.0;
  std::size_t count = 0;
  for (std::size_t k = 0; k < order.size(); ++k) {
    const double own = std::pow(measurements_[order[k]].noise_sd, -2);
    weight += own;
    distance += own * readings_[order[k]].distance;
    const double error = share * facts_.records * distance / weight;
    const double total = size / weight + error * error;
    if (total >= best) continue;
    best = total;
    count = k + 1;
    inflation = 1.0 + error * error * weight / size;
  }
  for (std::size_t k = 0; k < order.size(); ++k) {
    const double noise = std::pow(measurements_[order[k]].noise_sd, 2);
    readings_[order[k]].variance =
        k < count ? noise * inflation : std::numeric_limits<double>::infinity();
  }
  counted_ = count;
}

void TraceInference::set_factor() {
  const Index size = estimate_.size();
  VectorXd touched(size);
  for (Index j = 0; j < size; ++j) {
    touched[j] = (score_.col(j).array() != 0.0).cast<double>().mean();
  }
  const VectorXd root = touched.cwiseMax(1.0 / static_cast<double>(score_.rows())).cwiseSqrt();
  MatrixXd precision =
      root.cwiseInverse().asDiagonal() * information_ * root.cwiseInverse().asDiagonal();
  precision += before_.precision / facts_.records;
  const VectorXd scale = precision.diagonal().cwiseMax(1e-12).cwiseSqrt().cwiseInverse();
  MatrixXd correlation = scale.asDiagonal() * precision * scale.asDiagonal();
  correlation = (correlation.cwiseAbs().array() < kChanceCorrelation).select(0.0, correlation);
  correlation.diagonal().setOnes();
  constexpr double kLeastCondition = 1e-6;
  MatrixXd decorrelated = MatrixXd::Identity(size, size);
  if (cholesky_factor(correlation, kLeastCondition)) {
    decorrelated = cholesky_factor(pseudo_inverse(correlation)).value_or(decorrelated);
  }
  // A parameter that more records use than another is known better anyway. It takes a smaller share
  // of the clip bound, which leaves it less biased.
  const VectorXd modest = (root.minCoeff() * root.cwiseInverse()).cwiseSqrt();
  factor_ = modest.cwiseProduct(scale).asDiagonal() * decorrelated;
}

void TraceInference::set_data_covariance() {
  const MatrixXd& factor = measurements_.empty() ? factor_ : measurements_.back().factor;
  const MockClipping here(scores_, factor, facts_.centre);
  const double bound =
      measurements_.empty() ? here.norms().maxCoeff() + 1.0 : measurements_.back().bound;
  const MatrixXd clipped = here.clipped(bound);
  const MatrixXd slope = product_mean(clipped, score_);
  const MatrixXd inverse = slope.completeOrthogonalDecomposition().pseudoInverse();
  data_covariance_ =
      inverse * product_mean(clipped, clipped) * inverse.transpose() / facts_.records;
  clip_bias_.setZero();
  bend_shift_.setZero();
  if (bend_.size() > 0) bend_shift_ = inverse * (factor.transpose() * bend_);
  if (facts_.centre == ClipCentre::zero) {
    clip_bias_ = inverse * (mean_of(clipped) - mean_of(here.gradients()));
  }
}

// Log density of the measurements around the estimate, if the slopes of all are multiplied by
// `stretch`.
TraceInference::Quadratic TraceInference::quadratic(const MatrixXd& stretch) const {
  const Index size = estimate_.size();
  Quadratic sum{MatrixXd::Zero(size, size), VectorXd::Zero(size)};
  for (std::size_t t = 0; t < readings_.size(); ++t) {
    const Reading& reading = readings_[t];
    const double weight = facts_.records / reading.variance;
    const MatrixXd slope = reading.slope * stretch;
    const VectorXd offset =
        reading.offset + (slope - reading.slope) * (estimate_ - measurements_[t].theta);
    sum.precision += weight * facts_.records * slope.transpose() * slope;
    sum.slope += weight * slope.transpose() * (measurements_[t].release - facts_.records * offset);
  }
  return sum;
}

void TraceInference::update() {
  read_all();
  const Index size = estimate_.size();
  const auto [precision, slope] = quadratic(MatrixXd::Identity(size, size));
  // Precision and slope at the estimate once the data's own sampling is included.
  const MatrixXd shrunk = MatrixXd::Identity(size, size) + precision * data_covariance_;
  const auto solver = shrunk.partialPivLu();
  MatrixXd total = solver.solve(precision) + before_.precision;
  const VectorXd right = solver.solve(slope) + before_.precision * (before_.mean - estimate_);
  total = 0.5 * (total + total.transpose().eval());
  const MatrixXd covariance = pseudo_inverse(total);
  VectorXd move = covariance * right;
  if (!move.allFinite()) move.setZero();
  spread_ = cholesky_factor(covariance).value_or(MatrixXd());
  const double length = std::sqrt(std::max(0.0, move.dot(information_ * move)));
  if (length > kLongestMove) move *= kLongestMove / length;
  damp(move);
  estimate_ += move;
}

// A coordinate that turns back moves less the next time: its slope is larger than mock records say.
void TraceInference::damp(VectorXd& move) {
  constexpr double kShorter = 0.6, kLonger = 1.3, kLeast = 0.3;
  for (Index k = 0; k < move.size(); ++k) {
    const bool turned = move[k] * previous_move_[k] < 0.0;
    damping_[k] = std::clamp(damping_[k] * (turned ? kShorter : kLonger), kLeast, 1.0);
  }
  move = damping_.asDiagonal() * move;
  previous_move_ = move;
}

double TraceInference::best_bound(double noise_multiplier) {
  constexpr int kCandidates = 12;
  const MockClipping here(scores_, factor_, facts_.centre);
  const double typical = std::max(norm_quantile(here, 0.5), 1e-9);
  double best = typical, least = std::numeric_limits<double>::infinity();
  // Simulated outcomes take time: the best bound is then searched beside the last one.
  const bool near = simulates() && best_candidate_;
  const int first = near ? std::max(0, *best_candidate_ - 1) : 0;
  const int last = near ? std::min(kCandidates - 1, *best_candidate_ + 1) : kCandidates - 1;
  for (int k = first; k <= last; ++k) {
    const double bound = typical * 0.15 * std::pow(60.0, k / (kCandidates - 1.0));
    const double loss = forecast_loss(here, bound, noise_multiplier);
    if (!(loss < least)) continue;
    least = loss;
    best = bound;
    best_candidate_ = k;
  }
  return best;
}

// Minus the log determinant of the precision that further releases with this bound would lead to.
double TraceInference::forecast_loss(const MockClipping& here, double bound,
                                     double noise_multiplier) const {
  const Index size = estimate_.size();
  const MatrixXd prior = factor_.transpose() * before_.precision * factor_;
  const MatrixXd clipped = here.clipped(bound);
  const MatrixXd slope = product_mean(clipped, here.gradients());
  MatrixXd variance = product_mean(clipped, clipped) / facts_.records;
  variance.diagonal().array() += std::pow(noise_multiplier * bound / facts_.records, 2);
  if (facts_.centre == ClipCentre::zero) {
    const VectorXd bias = kBiasError * (mean_of(here.gradients()) - mean_of(clipped));
    variance += bias * bias.transpose();
  }
  const MatrixXd total = prior + slope.transpose() * pseudo_inverse(variance) * slope;
  const auto root = cholesky_factor(0.5 * (total + total.transpose().eval()) +
                                    1e-12 * MatrixXd::Identity(size, size));
  if (!root) return std::numeric_limits<double>::infinity();
  return -2.0 * root->diagonal().array().log().sum();
}

TraceSite TraceInference::site() const {
  constexpr std::size_t kDraws = 24;
  const Index size = estimate_.size();
  SeededStream stream = SeededGenerator(5).stream({.label = StreamLabel::predictive_draw});
  const MatrixXd inverse_factor =
      factor_.triangularView<Eigen::Lower>().solve(MatrixXd::Identity(size, size));
  VectorXd mean = VectorXd::Zero(size);
  MatrixXd squares = MatrixXd::Zero(size, size), within = squares, data = squares;
  for (MatrixXd& draw : draw_remaining(curvature_, kDraws, stream)) {
    draw.diagonal().array() += facts_.records_spread * standard_normal(stream);
    const MatrixXd stretch = factor_ * exponential(draw) * inverse_factor;
    const MatrixXd shrink = factor_ * exponential(-0.5 * draw) * inverse_factor;
    const MatrixXd own_data = shrink * data_covariance_ * shrink.transpose();
    const auto [precision, slope] = quadratic(stretch);
    const MatrixXd shrunk = MatrixXd::Identity(size, size) + precision * own_data;
    const auto solver = shrunk.partialPivLu();
    MatrixXd total = solver.solve(precision) + before_.precision;
    total = 0.5 * (total + total.transpose().eval());
    const MatrixXd covariance = pseudo_inverse(total);
    const VectorXd move =
        covariance * (solver.solve(slope) + before_.precision * (before_.mean - estimate_));
    mean += move / kDraws;
    squares += move * move.transpose() / kDraws;
    within += covariance / kDraws;
    data += own_data / kDraws;
  }
  TraceSite site;
  // The moments of the mixture over the draws, divided by the rough prior.
  const MatrixXd total = pseudo_inverse(within + squares - mean * mean.transpose());
  const MatrixXd covariance = set_quotient(site, estimate_ + mean, total, facts_.prior);
  site.data_covariance = data;
  site.noise_covariance = covariance - data;
  site.remaining_bias = kBiasError * clip_bias_;
  site.noise_covariance += site.remaining_bias * site.remaining_bias.transpose();
  site.noise_covariance += kBendError * kBendError * bend_shift_ * bend_shift_.transpose();
  return site;
}

double TraceInference::residual_square() const {
  if (readings_.empty()) return 0.0;
  const Index size = estimate_.size();
  const auto [precision, slope] = quadratic(MatrixXd::Identity(size, size));
  const VectorXd distance = pseudo_inverse(precision) * slope;
  double sum = 0.0;
  for (std::size_t t = 0; t < readings_.size(); ++t) {
    const Reading& reading = readings_[t];
    const VectorXd left =
        measurements_[t].release - facts_.records * (reading.offset + reading.slope * distance);
    sum += left.squaredNorm() / reading.variance;
  }
  // The location takes one degree of freedom for each coordinate.
  const double mean = residuals() > 0.0 ? sum / residuals() : 0.0;
  return std::max(mean, information_residual_ * information_residual_);
}

double TraceInference::residuals() const {
  return std::max(0.0, static_cast<double>(counted_) - 1.0) * static_cast<double>(estimate_.size());
}

}  // namespace dpvi
