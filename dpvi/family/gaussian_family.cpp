#include <dpvi/family/gaussian_family.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>
#include <utility>

namespace dpvi {

GaussianFamily::GaussianFamily(std::vector<FurtherEntries> rows, std::size_t draw_size)
    : Family(rows.size(), draw_size, rows.back().first + rows.back().count),
      rows_(std::move(rows)) {}

std::vector<double> GaussianFamily::parameters_of_scales(std::span<const double> location,
                                                         std::span<const double> scales) const {
  return parameters_of_diagonal(location, scales);
}

std::vector<double> GaussianFamily::parameters_of_diagonal(std::span<const double> location,
                                                           std::span<const double> diagonal) const {
  assert(location.size() == dimension() && diagonal.size() == dimension());
  std::vector<double> result(parameter_count(), 0.0);
  std::copy(location.begin(), location.end(), result.begin());
  for (std::size_t i = 0; i < dimension(); ++i) result[dimension() + i] = std::log(diagonal[i]);
  return result;
}

void GaussianFamily::set_row(std::vector<double>& parameters, std::size_t row,
                             std::span<const double> entries) const {
  const double unit = kCorrelationScale * std::exp(parameters[dimension() + row]);
  double* place = parameters.data() + rows_[row].first;
  for (const double entry : entries) *place++ = entry / unit;
}

std::vector<double> GaussianFamily::relative_row(std::span<const double> parameters,
                                                 std::size_t row) const {
  const auto entries = parameters.subspan(rows_[row].first, rows_[row].count);
  std::vector<double> result;
  for (const double entry : entries) result.push_back(kCorrelationScale * entry);
  return result;
}

std::vector<double> GaussianFamily::diagonal(std::span<const double> parameters) const {
  std::vector<double> result;
  for (const double entry : log_diagonal(parameters)) result.push_back(std::exp(entry));
  return result;
}

void GaussianFamily::transform(std::span<const double> parameters, std::span<const double> eta,
                               std::span<double> theta) const {
  assert(parameters.size() == parameter_count() && eta.size() == draw_size());
  for (std::size_t i = 0; i < dimension(); ++i) {
    double from_location = eta[i];
    const double* entry = parameters.data() + rows_[i].first;
    for (const double draw : eta.subspan(rows_[i].first_draw, rows_[i].count)) {
      from_location += kCorrelationScale * *entry++ * draw;
    }
    theta[i] = parameters[i] + std::exp(log_diagonal(parameters)[i]) * from_location;
  }
}

std::vector<GradientTerm> GaussianFamily::gradient_terms(std::span<const double> parameters,
                                                         std::span<const double> eta) const {
  assert(parameters.size() == parameter_count() && eta.size() == draw_size());
  std::vector<GradientTerm> terms(parameter_count());
  for (std::size_t i = 0; i < dimension(); ++i) {
    const double scale = std::exp(log_diagonal(parameters)[i]);
    const double unit = kCorrelationScale * scale;
    double from_location = eta[i];
    const double* entry = parameters.data() + rows_[i].first;
    GradientTerm* term = terms.data() + rows_[i].first;
    for (const double draw : eta.subspan(rows_[i].first_draw, rows_[i].count)) {
      from_location += kCorrelationScale * *entry++ * draw;
      *term++ = {i, unit * draw};
    }
    // The same rounding as in transform().
    const double theta = parameters[i] + scale * from_location;
    terms[i] = {i, 1.0};
    terms[dimension() + i] = {i, theta - parameters[i]};
  }
  return terms;
}

void GaussianFamily::add_entropy_gradient(std::span<const double>,
                                          std::span<double> gradient) const {
  assert(gradient.size() == parameter_count());
  // The entropy is the sum of the log diagonal, up to a constant.
  for (std::size_t i = 0; i < dimension(); ++i) gradient[dimension() + i] += 1.0;
}

double GaussianFamily::peak_of_diagonal(std::span<const double> parameters) const {
  double result = -0.5 * static_cast<double>(dimension()) * std::log(2.0 * std::numbers::pi);
  for (const double entry : log_diagonal(parameters)) result -= entry;
  return result;
}

double GaussianFamily::log_density(std::span<const double> parameters,
                                   std::span<const double> eta) const {
  double result = peak_of_diagonal(parameters);
  for (const double draw : eta) result -= 0.5 * draw * draw;
  return result;
}

std::vector<double> GaussianFamily::standard_deviations(std::span<const double> parameters) const {
  std::vector<double> result(dimension());
  for (std::size_t i = 0; i < dimension(); ++i) {
    double variance = 1.0;
    for (const double entry : relative_row(parameters, i)) variance += entry * entry;
    result[i] = std::exp(log_diagonal(parameters)[i]) * std::sqrt(variance);
  }
  return result;
}

}  // namespace dpvi
