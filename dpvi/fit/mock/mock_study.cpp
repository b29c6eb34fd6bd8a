#include <dpvi/fit/mock/mock_study.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

#include <dpvi/base/internal/dense_solvers.hpp>
#include <dpvi/fit/mock/component_start.hpp>
#include <dpvi/fit/mock/mock_records.hpp>
#include <dpvi/fit/numerics/mode_finder.hpp>
#include <dpvi/gradient/record_gradients.hpp>
#include <dpvi/random/seeded_generator.hpp>

namespace dpvi {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr std::size_t kMockRecords = 512;
// Limits on the mock rows in total and per record, for records of several rows.
constexpr std::size_t kMaxMockRows = 8192, kMaxRowsOfOne = 256;
// Above this many parameters, curvature by finite differences is too expensive for a forecast.
constexpr std::size_t kMaxParameters = 200;
// Above this many parameters, coordinates only scale: decorrelating them costs quadratic time per
// record.
constexpr std::size_t kMaxDecorrelated = 32;
// Correlations of mock records below this are attributed to chance.
constexpr double kChanceCorrelation = 0.2;
// Number of rows at which a coefficient of a standardised column in a logistic regression has unit
// scale.
constexpr double kFewRows = 4.0;
// A coefficient touched by a smaller share of the records is rare.
constexpr double kRareShare = 0.25;
// At the mode, a prior precision larger than at zero by this factor indicates the neck of a funnel
// (a group-level scale near zero). Posteriors do not concentrate there.
constexpr double kFunnel = 1e4;
// Smallest prior precision assumed when the prior is replaced by a normal one.
constexpr double kLeastPrecision = 1e-2;

std::vector<std::uint64_t> all_records(const RecordTable& table) {
  std::vector<std::uint64_t> records(table.record_count());
  std::iota(records.begin(), records.end(), 0u);
  return records;
}

// Precision of a few rows, plus the prior precision where the prior dominates the posterior of all
// records. Directions about which records are uninformative thus move at the prior's scale.
MatrixXd precision_of_few(const MockStudy& study, double records) {
  const MatrixXd prior = square_matrix(study.prior_precision);
  const MatrixXd record = square_matrix(study.record_precision);
  const double few = kFewRows / study.rows_per_record;
  return few * record + prior * pseudo_inverse(prior + records * record) * prior;
}

// Lower triangular matrix with factor * factor^T the inverse of a correlation matrix. Returns the
// identity if there is nothing to decorrelate or the matrix is ill-conditioned.
MatrixXd decorrelating_factor(MatrixXd correlation) {
  const Eigen::Index size = correlation.rows();
  MatrixXd identity = MatrixXd::Identity(size, size);
  correlation = (correlation.cwiseAbs().array() < kChanceCorrelation).select(0.0, correlation);
  if (correlation == identity || size > static_cast<Eigen::Index>(kMaxDecorrelated))
    return identity;
  constexpr double kLeastCondition = 1e-8;
  if (!cholesky_factor(correlation, kLeastCondition)) return identity;
  return cholesky_factor(pseudo_inverse(correlation)).value_or(identity);
}

// Parameters that records inform are not mixed with those that they do not: nothing is released
// about the latter.
void keep_apart(MatrixXd& correlation, const std::vector<bool>& used) {
  for (std::size_t i = 0; i < used.size(); ++i) {
    for (std::size_t j = 0; j < used.size(); ++j) {
      if (used[i] == used[j]) continue;
      correlation(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) = 0.0;
    }
  }
}

// Real levels are seldom as equally frequent as mock ones. Units as long as those of one level
// among many would use up the clip bound for coefficients that matter to few records. The more
// rarely a coefficient is touched, the shorter its unit. The prior is not used for this: it states
// how large a coefficient is, not how much records inform it. A tight prior would leave only noise
// in its coefficient.
void shorten_rare(MatrixXd& precision, const MockStudy& study, const std::vector<double>& touched) {
  const double few = kFewRows / study.rows_per_record;
  for (Eigen::Index i = 0; i < precision.rows(); ++i) {
    const double share = touched[static_cast<std::size_t>(i)];
    if (!(share > 0.0 && share < kRareShare)) continue;
    const double record =
        study.record_precision[static_cast<std::size_t>(i * (precision.rows() + 1))];
    precision(i, i) += few * (std::pow(kRareShare / share, 2) - 1.0) * std::max(record, 0.0);
  }
}

Coordinates round_coordinates(const MockStudy& study, double records, const std::vector<bool>& used,
                              const std::vector<double>& touched) {
  MatrixXd precision = precision_of_few(study, records);
  shorten_rare(precision, study, touched);
  const VectorXd diagonal = precision.diagonal();
  if (!precision.allFinite() || diagonal.minCoeff() <= 0.0) {
    return Coordinates::identity(study.theta.size());
  }
  const VectorXd scale = diagonal.cwiseSqrt().cwiseInverse();
  MatrixXd correlation = scale.asDiagonal() * precision * scale.asDiagonal();
  keep_apart(correlation, used);
  return {study.theta, rows_of(scale.asDiagonal() * decorrelating_factor(std::move(correlation)))};
}

// Normal prior with the gradient and the diagonal curvature of the true prior at zero.
struct PriorAtZero {
  std::vector<double> slope, precision;

  PriorAtZero(const ValueAndGradientFunction& prior, std::size_t size)
      : slope(size), precision(size) {
    const std::vector<double> zero(size, 0.0);
    prior(zero, slope);
    const std::vector<double> curvature = minus_hessian(prior, zero);
    for (std::size_t i = 0; i < size; ++i) {
      const double entry = curvature[i * size + i];
      if (!std::isfinite(slope[i])) slope[i] = 0.0;
      precision[i] = std::isfinite(entry) ? std::max(entry, kLeastPrecision) : kLeastPrecision;
    }
  }

  double operator()(std::span<const double> theta, std::span<double> gradient) const {
    double value = 0.0;
    for (std::size_t i = 0; i < theta.size(); ++i) {
      gradient[i] = slope[i] - precision[i] * theta[i];
      value += theta[i] * (slope[i] - 0.5 * precision[i] * theta[i]);
    }
    return value;
  }
};

bool in_a_funnel(const MockStudy& study, const PriorAtZero& at_zero) {
  for (std::size_t i = 0; i < study.theta.size(); ++i) {
    const double precision = study.prior_precision[i * study.theta.size() + i];
    if (!(std::abs(precision) <= kFunnel * at_zero.precision[i])) return true;
  }
  return false;
}

// Finds the mode of the mock posterior and the curvature of prior and likelihood there.
void study_posterior(MockStudy& study, const ValueAndGradientFunction& prior,
                     const ValueAndGradientFunction& likelihood, std::size_t records) {
  const std::vector<double> zero(study.theta.size(), 0.0);
  study.theta = find_mode(sum_of(prior, likelihood), zero).theta;
  study.prior_precision = minus_hessian(prior, study.theta);
  const PriorAtZero at_zero(prior, study.theta.size());
  if (in_a_funnel(study, at_zero)) {
    study.theta = find_mode(sum_of(at_zero, likelihood), zero).theta;
    study.prior_precision = minus_hessian(at_zero, study.theta);
  }
  study.record_precision = minus_hessian(likelihood, study.theta);
  for (double& entry : study.record_precision) entry /= static_cast<double>(records);
}

// Returns gradients in theta of some records; records with a non-finite gradient are omitted.
std::vector<double> some_gradients(RecordGradients& gradients,
                                   std::span<const std::uint64_t> records,
                                   std::span<const double> theta) {
  constexpr std::size_t kSome = 64;
  std::vector<double> rows;
  for (const std::uint64_t record : records.first(std::min(kSome, records.size()))) {
    const auto one = gradients.plain_value(theta, {&record, 1});
    const bool finite = std::all_of(one.gradient.begin(), one.gradient.end(),
                                    [](double entry) { return std::isfinite(entry); });
    if (finite) rows.insert(rows.end(), one.gradient.begin(), one.gradient.end());
  }
  return rows;
}

// For each entry of theta, the share of records with a non-zero gradient.
std::vector<double> shares_that_touch(RecordGradients& gradients,
                                      std::span<const std::uint64_t> records,
                                      std::span<const double> theta) {
  std::vector<double> shares(theta.size(), 0.0);
  for (const std::uint64_t record : records) {
    const auto one = gradients.plain_value(theta, {&record, 1});
    for (std::size_t i = 0; i < shares.size(); ++i) {
      if (one.gradient[i] != 0.0) shares[i] += 1.0 / static_cast<double>(records.size());
    }
  }
  return shares;
}

void choose_start(MockStudy& study, const RecordModel& model, RecordGradients& gradients,
                  std::span<const std::uint64_t> records) {
  // In working coordinates the optimum is about one unit from the start. Two units are allowed.
  constexpr double kReach = 2.0;
  const std::size_t size = study.theta.size();
  study.start = study.coordinates.centre();
  if (size > kMaxParameters) return;
  EqualStart around{study.start, std::vector<double>(size, 0.0)};
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      around.reach[i] = std::hypot(around.reach[i], kReach * study.coordinates.factor(i, j));
    }
  }
  const MockGradients slopes = [&](std::span<const double> theta) {
    return some_gradients(gradients, records, theta);
  };
  auto apart = start_with_components_separated(model, slopes, around);
  study.components_separated = apart.has_value();
  if (!apart) return;
  study.start = std::move(apart->theta);
  study.components = std::move(apart->components);
}

// Mock records do not come from a mixture, so a fit of its components to them says nothing about
// the real ones. The information of a record is taken instead from the gradients at the start,
// where the components are apart. It is their mean square, which is the information of records
// generated by the program at that point.
void study_at_start(MockStudy& study, const ValueAndGradientFunction& prior,
                    RecordGradients& gradients, std::span<const std::uint64_t> records) {
  const auto size = static_cast<Eigen::Index>(study.theta.size());
  MatrixXd squares = MatrixXd::Zero(size, size);
  double count = 0.0;
  for (const std::uint64_t record : records) {
    const auto one = gradients.plain_value(study.start, {&record, 1});
    const VectorXd slope = VectorXd::Map(one.gradient.data(), size);
    if (!slope.allFinite()) continue;
    squares += slope * slope.transpose();
    count += 1.0;
  }
  const std::vector<double> prior_precision = minus_hessian(prior, study.start);
  const bool finite = std::all_of(prior_precision.begin(), prior_precision.end(),
                                  [](double entry) { return std::isfinite(entry); });
  if (count == 0.0 || !finite) return;
  study.theta = study.start;
  study.prior_precision = prior_precision;
  study.record_precision = rows_of(squares / count);
}

// Of increasing norms; 1 if there are none.
double quantile(const std::vector<double>& norms, double share) {
  if (norms.empty()) return 1.0;
  const double place = share * static_cast<double>(norms.size());
  const auto index = std::min(static_cast<std::size_t>(place), norms.size() - 1);
  return std::clamp(norms[index], 1e-6, 1e6);
}

void study_gradients(MockStudy& study, RecordGradients& gradients,
                     std::span<const std::uint64_t> records) {
  for (const std::uint64_t record : records) {
    auto one = gradients.plain_value(study.theta, {&record, 1});
    study.coordinates.pull_back(one.gradient);
    const double norm = VectorXd::Map(one.gradient.data(), std::ssize(one.gradient)).norm();
    if (!std::isfinite(one.value) || !(norm > 0.0)) continue;
    study.gradient_norms.push_back(norm);
    if (study.theta.size() > kMaxParameters) continue;
    study.gradients.insert(study.gradients.end(), one.gradient.begin(), one.gradient.end());
  }
  std::sort(study.gradient_norms.begin(), study.gradient_norms.end());
}

}  // namespace

double MockStudy::norm_quantile(double share) const { return quantile(gradient_norms, share); }

double MockStudy::outcome_norm_quantile(double share) const {
  return quantile(outcome_norms, share);
}

double MockStudy::records_in(double rows) const { return std::max(1.0, rows / rows_per_record); }

MockStudy study_mock_records(const RecordModel& model, const Binding& binding, double rows) {
  const std::size_t size = model.dimension();
  const std::size_t rows_of_one =
      std::min<std::size_t>(binding.unit ? binding.unit->max_rows : 1, kMaxRowsOfOne);
  const std::size_t count = std::min(kMockRecords, kMaxMockRows / rows_of_one);
  std::vector<MockRecord> mock =
      make_mock_records(binding, count * rows_of_one, SeededGenerator(1));
  const RecordTable table = model.prepare(mock, Precision::double_precision, rows_of_one);
  const std::vector<std::uint64_t> records = all_records(table);
  RecordGradients gradients(model.tape(), table, 1);
  const ValueAndGradientFunction likelihood = [&](std::span<const double> theta,
                                                  std::span<double> gradient) {
    const auto sum = gradients.plain_value(theta, records);
    std::copy(sum.gradient.begin(), sum.gradient.end(), gradient.begin());
    return sum.value;
  };
  const ValueAndGradientFunction prior = [&](std::span<const double> theta,
                                             std::span<double> gradient) {
    return model.prior().value_and_gradient(theta, gradient);
  };

  MockStudy study{.theta = std::vector<double>(size, 0.0),
                  .prior_precision = {},
                  .record_precision = {},
                  .unknown_columns = unknown_columns(binding),
                  .coordinates = Coordinates::identity(size),
                  .used_by_records = {},
                  .start = {},
                  .gradient_norms = {},
                  .gradients = {},
                  .rows_per_record = static_cast<double>(rows_of_one)};
  if (size <= kMaxParameters) {
    study_posterior(study, prior, likelihood, records.size());
  }
  const auto choose_coordinates = [&] {
    if (size > kMaxParameters || !study.unknown_columns.empty()) return;
    study.coordinates = round_coordinates(study, study.records_in(rows), model.used_by_records(),
                                          shares_that_touch(gradients, records, study.theta));
  };
  choose_coordinates();
  choose_start(study, model, gradients, records);
  if (study.components_separated) {
    study_at_start(study, prior, gradients, records);
    choose_coordinates();
  }
  study.used_by_records = study.coordinates.used(model.used_by_records());
  if (size <= kMaxParameters) study.touched = shares_that_touch(gradients, records, study.theta);
  study_gradients(study, gradients, records);
  study.law = find_any_outcome_law(model, binding);
  OutcomeLengths lengths;
  if (study.law.columns) {
    lengths =
        outcome_lengths(model, std::move(mock), *study.law.columns, study.coordinates, study.theta);
  } else if (study.law.simulator) {
    lengths = simulated_lengths(model, mock, *study.law.simulator, study.coordinates, study.theta,
                                {.rows_per_record = rows_of_one});
  }
  study.outcome_norms = std::move(lengths.longest);
  study.outcome_squares = std::move(lengths.squares);
  return study;
}

}  // namespace dpvi
