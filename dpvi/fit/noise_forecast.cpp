#include <dpvi/fit/noise_forecast.hpp>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numeric>

#include <dpvi/fit/mode_finder.hpp>
#include <dpvi/gradient/record_gradients.hpp>

namespace dpvi {
namespace {

using Eigen::MatrixXd;

constexpr std::size_t kMockRecords = 512;
// Clipping half of the records, as is often advised, bends a logistic regression's coefficients by
// half their size; at this share the bend is small beside the noise.
constexpr double kUnclippedShare = 0.95;
// Past this many parameters curvature by differences costs too much for a forecast.
constexpr std::size_t kMostParameters = 200;

std::vector<std::uint64_t> all_records(const RecordTable& table) {
  std::vector<std::uint64_t> records(table.record_count());
  std::iota(records.begin(), records.end(), 0u);
  return records;
}

double large_norm(RecordGradients& gradients, std::span<const double> theta,
                  std::span<const std::uint64_t> records) {
  std::vector<double> norms;
  for (const std::uint64_t record : records) {
    const auto one = gradients.plain_value(theta, {&record, 1});
    double square = 0.0;
    for (const double entry : one.gradient) square += entry * entry;
    if (std::isfinite(one.value) && square > 0.0) norms.push_back(std::sqrt(square));
  }
  if (norms.empty()) return 1.0;
  const auto place = static_cast<std::size_t>(kUnclippedShare * static_cast<double>(norms.size()));
  const auto found = norms.begin() + static_cast<std::ptrdiff_t>(place);
  std::nth_element(norms.begin(), found, norms.end());
  return std::clamp(*found, 1e-6, 1e6);
}

}  // namespace

MockStudy study_mock_records(const RecordModel& model, const Binding& binding) {
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
  const ValueAndGradientFunction posterior = [&](std::span<const double> theta,
                                                 std::span<double> gradient) {
    std::vector<double> other(gradient.size());
    const double value = prior(theta, gradient) + likelihood(theta, other);
    for (std::size_t i = 0; i < gradient.size(); ++i) gradient[i] += other[i];
    return value;
  };

  MockStudy study;
  study.theta.assign(size, 0.0);
  if (size <= kMostParameters) {
    study.theta = find_mode(posterior, study.theta).theta;
    study.prior_precision = minus_hessian(prior, study.theta);
    study.record_precision = minus_hessian(likelihood, study.theta);
    for (double& entry : study.record_precision) entry /= static_cast<double>(kMockRecords);
  }
  study.large_gradient_norm = large_norm(gradients, study.theta, records);
  return study;
}

NoiseForecast forecast_noise(const MockStudy& study, double clip_bound, double gradient_noise,
                             double rows) {
  const auto size = static_cast<Eigen::Index>(study.theta.size());
  NoiseForecast forecast;
  if (study.record_precision.empty()) return forecast;
  const auto prior = Eigen::Map<const MatrixXd>(study.prior_precision.data(), size, size);
  const auto record = Eigen::Map<const MatrixXd>(study.record_precision.data(), size, size);
  const MatrixXd total = prior + rows * record;
  const MatrixXd inverse =
      (0.5 * (total + total.transpose())).completeOrthogonalDecomposition().pseudoInverse();
  for (Eigen::Index i = 0; i < size; ++i) {
    forecast.noise_sd.push_back(clip_bound * gradient_noise * inverse.row(i).norm());
    forecast.posterior_sd.push_back(std::sqrt(std::max(0.0, inverse(i, i))));
  }
  return forecast;
}

}  // namespace dpvi
