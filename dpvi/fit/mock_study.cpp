#include <dpvi/fit/mock_study.hpp>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numeric>

#include <dpvi/fit/mode_finder.hpp>
#include <dpvi/gradient/record_gradients.hpp>

namespace dpvi {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr std::size_t kMockRecords = 512;
// Past this many parameters curvature by differences costs too much for a forecast.
constexpr std::size_t kMostParameters = 200;
// Past this many, coordinates only scale: turning them costs each record the square.
constexpr std::size_t kMostTurned = 32;
// Correlations of made-up records below this are taken for chance.
constexpr double kChanceCorrelation = 0.2;
// With so many, a coefficient of a standardised column in a logistic regression has unit scale.
constexpr double kFewRecords = 4.0;
// A mode at which the prior holds a parameter this much tighter than at zero is the neck of a
// funnel (a scale of group effects gone to nothing), not a place where posteriors are.
constexpr double kFunnel = 1e4;
// Of a parameter whose prior is flat at zero, where the prior is replaced by a normal one.
constexpr double kLeastPrecision = 1e-2;

std::vector<std::uint64_t> all_records(const RecordTable& table) {
  std::vector<std::uint64_t> records(table.record_count());
  std::iota(records.begin(), records.end(), 0u);
  return records;
}

// Precision of a few records, and of the prior as far as it is what decides a posterior of `rows`
// records: directions that these say little about move at the prior's scale.
MatrixXd precision_of_few(const MockStudy& study, double rows) {
  const auto size = static_cast<Eigen::Index>(study.theta.size());
  const auto prior = Eigen::Map<const MatrixXd>(study.prior_precision.data(), size, size);
  const auto record = Eigen::Map<const MatrixXd>(study.record_precision.data(), size, size);
  const MatrixXd posterior = prior + rows * record;
  const MatrixXd deciding = prior * posterior.completeOrthogonalDecomposition().solve(prior);
  return kFewRecords * record + 0.5 * (deciding + deciding.transpose());
}

// Lower triangular, with factor * factor^T the inverse of a correlation matrix; the identity where
// there is nothing to turn or it cannot be done.
MatrixXd turning_factor(MatrixXd correlation) {
  const Eigen::Index size = correlation.rows();
  const MatrixXd identity = MatrixXd::Identity(size, size);
  correlation = (correlation.cwiseAbs().array() < kChanceCorrelation).select(0.0, correlation);
  if (correlation == identity || size > static_cast<Eigen::Index>(kMostTurned)) return identity;
  const Eigen::LLT<MatrixXd> precision(correlation);
  if (precision.info() != Eigen::Success || precision.rcond() < 1e-8) return identity;
  const Eigen::LLT<MatrixXd> covariance(MatrixXd(precision.solve(identity)));
  return covariance.info() == Eigen::Success ? MatrixXd(covariance.matrixL()) : identity;
}

Coordinates round_coordinates(const MockStudy& study, double rows) {
  const MatrixXd precision = precision_of_few(study, rows);
  const VectorXd diagonal = precision.diagonal();
  if (!precision.allFinite() || diagonal.minCoeff() <= 0.0) {
    return Coordinates::identity(study.theta.size());
  }
  const VectorXd scale = diagonal.cwiseSqrt().cwiseInverse();
  const MatrixXd turned = turning_factor(scale.asDiagonal() * precision * scale.asDiagonal());
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const RowMajor factor = scale.asDiagonal() * turned;
  return {study.theta, {factor.data(), factor.data() + factor.size()}};
}

// A normal prior with the slope and, entry by entry, the curvature that the true one has at zero.
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

// Where the mock table's posterior is and how curved prior and likelihood are there.
void study_posterior(MockStudy& study, const ValueAndGradientFunction& prior,
                     const ValueAndGradientFunction& likelihood) {
  const std::vector<double> zero(study.theta.size(), 0.0);
  study.theta = find_mode(sum_of(prior, likelihood), zero).theta;
  study.prior_precision = minus_hessian(prior, study.theta);
  const PriorAtZero at_zero(prior, study.theta.size());
  if (in_a_funnel(study, at_zero)) {
    study.theta = find_mode(sum_of(at_zero, likelihood), zero).theta;
    study.prior_precision = minus_hessian(at_zero, study.theta);
  }
  study.record_precision = minus_hessian(likelihood, study.theta);
  for (double& entry : study.record_precision) entry /= static_cast<double>(kMockRecords);
}

std::vector<double> sorted_norms(RecordGradients& gradients, const MockStudy& study,
                                 std::span<const std::uint64_t> records) {
  std::vector<double> norms;
  for (const std::uint64_t record : records) {
    auto one = gradients.plain_value(study.theta, {&record, 1});
    study.coordinates.pull_back(one.gradient);
    const double norm = VectorXd::Map(one.gradient.data(), std::ssize(one.gradient)).norm();
    if (std::isfinite(one.value) && norm > 0.0) norms.push_back(norm);
  }
  std::sort(norms.begin(), norms.end());
  return norms;
}

}  // namespace

double MockStudy::norm_quantile(double share) const {
  if (gradient_norms.empty()) return 1.0;
  const double place = share * static_cast<double>(gradient_norms.size());
  const auto index = std::min(static_cast<std::size_t>(place), gradient_norms.size() - 1);
  return std::clamp(gradient_norms[index], 1e-6, 1e6);
}

MockStudy study_mock_records(const RecordModel& model, const Binding& binding, double rows) {
  const std::size_t size = model.dimension();
  const RecordTable table =
      model.prepare(make_mock_records(binding, kMockRecords, SeededGenerator(1)));
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
                  .gradient_norms = {}};
  if (size <= kMostParameters) {
    study_posterior(study, prior, likelihood);
    if (study.unknown_columns.empty()) study.coordinates = round_coordinates(study, rows);
  }
  study.gradient_norms = sorted_norms(gradients, study, records);
  return study;
}

}  // namespace dpvi
