#include <dpvi/family/gaussian_family.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>

#include <dpvi/family/identity_plus_columns.hpp>

namespace dpvi {

std::string_view name_of(FamilyKind kind) {
  switch (kind) {
    case FamilyKind::mean_field:
      return "mean-field";
    case FamilyKind::low_rank:
      return "low-rank";
    case FamilyKind::full_rank:
      break;
  }
  return "full-rank";
}

GaussianFamily::GaussianFamily(FamilyKind kind, std::size_t dimension, std::size_t rank)
    : kind_(kind), dimension_(dimension), rank_(rank) {
  assert(dimension > 0 && (rank > 0) == (kind == FamilyKind::low_rank));
}

std::size_t GaussianFamily::row_size(std::size_t row) const {
  return kind_ == FamilyKind::full_rank ? row : rank_;
}

std::size_t GaussianFamily::row_start(std::size_t row) const {
  const std::size_t before = kind_ == FamilyKind::full_rank ? (row * row - row) / 2 : row * rank_;
  return 2 * dimension_ + before;
}

std::span<const double> GaussianFamily::row_draws(std::span<const double> eta,
                                                  std::size_t row) const {
  return eta.subspan(kind_ == FamilyKind::low_rank ? dimension_ : 0, row_size(row));
}

std::size_t GaussianFamily::parameter_count() const { return row_start(dimension_); }

void GaussianFamily::set_row(std::vector<double>& parameters, std::size_t row,
                             std::span<const double> entries) const {
  const double unit = kCorrelationScale * std::exp(parameters[dimension_ + row]);
  double* place = parameters.data() + row_start(row);
  for (const double entry : entries) *place++ = entry / unit;
}

std::vector<double> GaussianFamily::relative_row(std::span<const double> parameters,
                                                 std::size_t row) const {
  const auto entries = parameters.subspan(row_start(row), row_size(row));
  std::vector<double> result;
  for (const double entry : entries) result.push_back(kCorrelationScale * entry);
  return result;
}

std::vector<double> GaussianFamily::parameters_of_scales(std::span<const double> location,
                                                         std::span<const double> scales) const {
  if (kind_ != FamilyKind::low_rank) return parameters_of_diagonal(location, scales);
  // Columns of zeros would stay zero, because the gradient with respect to them vanishes on
  // average.
  constexpr double kFirst = 0.1;
  std::vector<double> diagonal(dimension_), columns(dimension_ * rank_, 0.0);
  for (std::size_t i = 0; i < dimension_; ++i) {
    diagonal[i] = scales[i] / std::hypot(1.0, kFirst);
    columns[i * rank_ + i % rank_] = kFirst * diagonal[i];
  }
  return parameters(location, diagonal, columns);
}

std::vector<double> GaussianFamily::parameters(std::span<const double> location,
                                               std::span<const double> factor) const {
  assert(factor.size() == dimension_ * dimension_ && kind_ != FamilyKind::low_rank);
  std::vector<double> diagonal(dimension_);
  for (std::size_t i = 0; i < dimension_; ++i) {
    const std::span<const double> row = factor.subspan(i * dimension_, i + 1);
    double variance = 0.0;
    for (const double entry : row) variance += entry * entry;
    diagonal[i] = kind_ == FamilyKind::mean_field ? std::sqrt(variance) : row[i];
  }
  std::vector<double> result = parameters_of_diagonal(location, diagonal);
  for (std::size_t i = 0; i < dimension_; ++i) {
    set_row(result, i, factor.subspan(i * dimension_, row_size(i)));
  }
  return result;
}

std::vector<double> GaussianFamily::parameters_of_diagonal(std::span<const double> location,
                                                           std::span<const double> diagonal) const {
  assert(location.size() == dimension_ && diagonal.size() == dimension_);
  std::vector<double> result(parameter_count(), 0.0);
  std::copy(location.begin(), location.end(), result.begin());
  for (std::size_t i = 0; i < dimension_; ++i) result[dimension_ + i] = std::log(diagonal[i]);
  return result;
}

std::vector<double> GaussianFamily::parameters(std::span<const double> location,
                                               std::span<const double> diagonal,
                                               std::span<const double> columns) const {
  assert(kind_ == FamilyKind::low_rank && columns.size() == dimension_ * rank_);
  std::vector<double> result = parameters_of_diagonal(location, diagonal);
  for (std::size_t i = 0; i < dimension_; ++i) {
    set_row(result, i, columns.subspan(i * rank_, rank_));
  }
  return result;
}

void GaussianFamily::transform(std::span<const double> parameters, std::span<const double> eta,
                               std::span<double> theta) const {
  assert(parameters.size() == parameter_count() && eta.size() == draw_size());
  for (std::size_t i = 0; i < dimension_; ++i) {
    double from_location = eta[i];
    const double* row = parameters.data() + row_start(i);
    for (const double draw : row_draws(eta, i)) from_location += kCorrelationScale * *row++ * draw;
    theta[i] = parameters[i] + std::exp(log_diagonal(parameters)[i]) * from_location;
  }
}

std::vector<GradientTerm> GaussianFamily::gradient_terms(std::span<const double> parameters,
                                                         std::span<const double> eta) const {
  assert(parameters.size() == parameter_count() && eta.size() == draw_size());
  std::vector<GradientTerm> terms(parameter_count());
  std::vector<double> theta(dimension_);
  transform(parameters, eta, theta);
  for (std::size_t i = 0; i < dimension_; ++i) {
    terms[i] = {i, 1.0};
    terms[dimension_ + i] = {i, theta[i] - parameters[i]};
    const double unit = kCorrelationScale * std::exp(log_diagonal(parameters)[i]);
    GradientTerm* row = terms.data() + row_start(i);
    for (const double draw : row_draws(eta, i)) *row++ = {i, unit * draw};
  }
  return terms;
}

void GaussianFamily::add_entropy_gradient(std::span<const double> parameters,
                                          std::span<double> gradient) const {
  assert(gradient.size() == parameter_count());
  // The entropy is the sum of the log diagonal, up to a constant, plus the contribution of columns.
  for (std::size_t i = 0; i < dimension_; ++i) gradient[dimension_ + i] += 1.0;
  if (kind_ != FamilyKind::low_rank) return;
  const std::vector<double> slopes =
      IdentityPlusColumns(relative_columns(parameters), rank_).half_log_determinant_gradient();
  for (std::size_t i = 0; i < slopes.size(); ++i) {
    gradient[row_start(0) + i] += kCorrelationScale * slopes[i];
  }
}

double GaussianFamily::log_density(std::span<const double> parameters,
                                   std::span<const double> eta) const {
  double result = -0.5 * static_cast<double>(dimension_) * std::log(2.0 * std::numbers::pi);
  for (const double entry : log_diagonal(parameters)) result -= entry;
  if (kind_ != FamilyKind::low_rank) {
    for (const double draw : eta) result -= 0.5 * draw * draw;
    return result;
  }
  const std::vector<double> columns = relative_columns(parameters);
  const auto own = eta.first(dimension_);
  std::vector<double> from_location(own.begin(), own.end());
  for (std::size_t i = 0; i < columns.size(); ++i) {
    from_location[i / rank_] += columns[i] * eta[dimension_ + i % rank_];
  }
  const IdentityPlusColumns covariance(columns, rank_);
  return result - covariance.half_log_determinant() - 0.5 * covariance.square(from_location);
}

std::vector<double> GaussianFamily::standard_deviations(std::span<const double> parameters) const {
  std::vector<double> result(dimension_);
  for (std::size_t i = 0; i < dimension_; ++i) {
    double variance = 1.0;
    for (const double entry : relative_row(parameters, i)) variance += entry * entry;
    result[i] = std::exp(log_diagonal(parameters)[i]) * std::sqrt(variance);
  }
  return result;
}

std::vector<double> GaussianFamily::diagonal(std::span<const double> parameters) const {
  std::vector<double> result;
  for (const double entry : log_diagonal(parameters)) result.push_back(std::exp(entry));
  return result;
}

std::vector<double> GaussianFamily::factor(std::span<const double> parameters) const {
  assert(kind_ != FamilyKind::low_rank);
  std::vector<double> result(dimension_ * dimension_, 0.0);
  for (std::size_t i = 0; i < dimension_; ++i) {
    const double scale = std::exp(log_diagonal(parameters)[i]);
    double* row = result.data() + i * dimension_;
    for (const double entry : relative_row(parameters, i)) *row++ = scale * entry;
    result[i * dimension_ + i] = scale;
  }
  return result;
}

std::vector<double> GaussianFamily::relative_columns(std::span<const double> parameters) const {
  std::vector<double> result;
  for (const double entry : parameters.subspan(row_start(0)))
    result.push_back(kCorrelationScale * entry);
  return result;
}

std::vector<double> GaussianFamily::columns(std::span<const double> parameters) const {
  std::vector<double> result = relative_columns(parameters);
  for (std::size_t i = 0; i < result.size(); ++i) {
    result[i] *= std::exp(log_diagonal(parameters)[i / rank_]);
  }
  return result;
}

}  // namespace dpvi
