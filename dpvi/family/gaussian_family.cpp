#include <dpvi/family/gaussian_family.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>

namespace dpvi {
namespace {

// Where row i's entries below the diagonal start, behind location and log diagonal.
std::size_t row_start(std::size_t dimension, std::size_t row) {
  return 2 * dimension + (row * row - row) / 2;
}

}  // namespace

GaussianFamily::GaussianFamily(FamilyKind kind, std::size_t dimension)
    : kind_(kind), dimension_(dimension) {
  assert(dimension > 0);
}

std::size_t GaussianFamily::parameter_count() const {
  const std::size_t below = dimension_ * (dimension_ - 1) / 2;
  return 2 * dimension_ + (kind_ == FamilyKind::full_rank ? below : 0);
}

std::vector<double> GaussianFamily::parameters(std::span<const double> location,
                                               double scale) const {
  assert(location.size() == dimension_ && scale > 0.0);
  std::vector<double> result(parameter_count(), 0.0);
  std::copy(location.begin(), location.end(), result.begin());
  std::fill_n(result.begin() + static_cast<std::ptrdiff_t>(dimension_), dimension_,
              std::log(scale));
  return result;
}

std::vector<double> GaussianFamily::parameters(std::span<const double> location,
                                               std::span<const double> factor) const {
  assert(factor.size() == dimension_ * dimension_);
  std::vector<double> result = parameters(location, 1.0);
  for (std::size_t i = 0; i < dimension_; ++i) {
    const std::span<const double> row = factor.subspan(i * dimension_, i + 1);
    if (kind_ == FamilyKind::mean_field) {
      double variance = 0.0;
      for (const double entry : row) variance += entry * entry;
      result[dimension_ + i] = 0.5 * std::log(variance);
    } else {
      result[dimension_ + i] = std::log(row[i]);
      std::copy_n(row.begin(), i,
                  result.begin() + static_cast<std::ptrdiff_t>(row_start(dimension_, i)));
    }
  }
  return result;
}

std::vector<double> GaussianFamily::independent(std::span<const double> location,
                                                std::span<const double> scales) const {
  assert(scales.size() == dimension_);
  std::vector<double> result = parameters(location, 1.0);
  for (std::size_t i = 0; i < dimension_; ++i) result[dimension_ + i] = std::log(scales[i]);
  return result;
}

void GaussianFamily::transform(std::span<const double> parameters, std::span<const double> eta,
                               std::span<double> theta) const {
  assert(parameters.size() == parameter_count() && eta.size() == dimension_);
  const std::span<const double> diagonal = log_diagonal(parameters);
  for (std::size_t i = 0; i < dimension_; ++i) {
    theta[i] = parameters[i] + std::exp(diagonal[i]) * eta[i];
    if (kind_ == FamilyKind::mean_field) continue;
    const double* row = parameters.data() + row_start(dimension_, i);
    for (std::size_t j = 0; j < i; ++j) theta[i] += row[j] * eta[j];
  }
}

void GaussianFamily::pull_back(std::span<const double> parameters, std::span<const double> eta,
                               std::span<const double> theta_gradient,
                               std::span<double> gradient) const {
  assert(gradient.size() == parameter_count() && theta_gradient.size() == dimension_);
  const std::span<const double> diagonal = log_diagonal(parameters);
  for (std::size_t i = 0; i < dimension_; ++i) {
    gradient[i] = theta_gradient[i];
    // The entropy is the sum of the log diagonal, up to a constant.
    gradient[dimension_ + i] = theta_gradient[i] * eta[i] * std::exp(diagonal[i]) + 1.0;
    if (kind_ == FamilyKind::mean_field) continue;
    double* row = gradient.data() + row_start(dimension_, i);
    for (std::size_t j = 0; j < i; ++j) row[j] = theta_gradient[i] * eta[j];
  }
}

double GaussianFamily::log_density(std::span<const double> parameters,
                                   std::span<const double> eta) const {
  double result = -0.5 * static_cast<double>(dimension_) * std::log(2.0 * std::numbers::pi);
  for (std::size_t i = 0; i < dimension_; ++i) {
    result -= log_diagonal(parameters)[i] + 0.5 * eta[i] * eta[i];
  }
  return result;
}

std::vector<double> GaussianFamily::standard_deviations(std::span<const double> parameters) const {
  std::vector<double> result(dimension_);
  for (std::size_t i = 0; i < dimension_; ++i) {
    double variance = std::exp(2.0 * log_diagonal(parameters)[i]);
    if (kind_ == FamilyKind::full_rank) {
      const double* row = parameters.data() + row_start(dimension_, i);
      for (std::size_t j = 0; j < i; ++j) variance += row[j] * row[j];
    }
    result[i] = std::sqrt(variance);
  }
  return result;
}

std::vector<double> GaussianFamily::factor(std::span<const double> parameters) const {
  std::vector<double> result(dimension_ * dimension_, 0.0);
  for (std::size_t i = 0; i < dimension_; ++i) {
    result[i * dimension_ + i] = std::exp(log_diagonal(parameters)[i]);
    if (kind_ == FamilyKind::mean_field) continue;
    const double* row = parameters.data() + row_start(dimension_, i);
    std::copy_n(row, i, result.begin() + static_cast<std::ptrdiff_t>(i * dimension_));
  }
  return result;
}

}  // namespace dpvi
