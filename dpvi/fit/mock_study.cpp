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
// A coefficient of a standardised column in a logistic regression has unit scale.
constexpr double kLogisticScale = 0.5;

std::vector<std::uint64_t> all_records(const RecordTable& table) {
  std::vector<std::uint64_t> records(table.record_count());
  std::iota(records.begin(), records.end(), 0u);
  return records;
}

// Precision of one record, with the prior's share in a table of `rows`, made safe to divide by.
MatrixXd precision_per_record(const MockStudy& study, double rows) {
  const auto size = static_cast<Eigen::Index>(study.theta.size());
  const auto prior = Eigen::Map<const MatrixXd>(study.prior_precision.data(), size, size);
  const auto record = Eigen::Map<const MatrixXd>(study.record_precision.data(), size, size);
  return record + prior / std::max(1.0, rows);
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
  const MatrixXd precision = precision_per_record(study, rows);
  const VectorXd diagonal = precision.diagonal();
  if (!precision.allFinite() || diagonal.minCoeff() <= 0.0) {
    return Coordinates::identity(study.theta.size());
  }
  const VectorXd scale = diagonal.cwiseSqrt().cwiseInverse();
  const MatrixXd turned = turning_factor(scale.asDiagonal() * precision * scale.asDiagonal());
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const RowMajor factor = kLogisticScale * (scale.asDiagonal() * turned);
  return {study.theta, {factor.data(), factor.data() + factor.size()}};
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
    study.theta = find_mode(sum_of(prior, likelihood), study.theta).theta;
    study.prior_precision = minus_hessian(prior, study.theta);
    study.record_precision = minus_hessian(likelihood, study.theta);
    for (double& entry : study.record_precision) entry /= static_cast<double>(kMockRecords);
    if (study.unknown_columns.empty()) study.coordinates = round_coordinates(study, rows);
  }
  study.gradient_norms = sorted_norms(gradients, study, records);
  return study;
}

}  // namespace dpvi
