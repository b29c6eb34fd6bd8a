#include <dpvi/family/location_noise.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

#include <dpvi/base/internal/dense_solvers.hpp>
#include <dpvi/family/make_family.hpp>

namespace dpvi {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

std::vector<double> finite(std::vector<double> entries) {
  for (double& entry : entries) entry = std::isfinite(entry) ? entry : 0.0;
  return entries;
}

double length(std::span<const double> values) {
  double result = 0.0;
  for (const double value : values) result = std::hypot(result, value);
  return result;
}

// The position of the part that holds independent scales, or the number of parts.
std::size_t scales_part(const Family& family) {
  const auto parts = family.description().parts;
  const auto found = std::ranges::find(parts, PartShape::scales, &FactorPart::shape);
  return static_cast<std::size_t>(found - parts.begin());
}

// Adds B B' to a covariance, where the rows of B are divided by `unit`.
void add_covariance(MatrixXd& covariance, std::span<const double> entries, PartShape shape,
                    const VectorXd& unit) {
  if (entries.empty()) return;
  if (shape == PartShape::scales) {
    const VectorXd scales = VectorXd::Map(entries.data(), unit.size()).cwiseQuotient(unit);
    covariance.diagonal() += scales.cwiseAbs2();
    return;
  }
  const MatrixXd rows =
      unit.cwiseInverse().asDiagonal() * matrix_of(entries, static_cast<std::size_t>(unit.size()));
  covariance.noalias() += rows * rows.transpose();
}

// The sum of both covariances for coordinates divided by `unit`.
MatrixXd total_covariance(const Gaussian& fitted, const LocationNoise& noise,
                          const VectorXd& unit) {
  MatrixXd result = MatrixXd::Zero(unit.size(), unit.size());
  const auto descriptions = fitted.family->description().parts;
  const std::vector<std::vector<double>> parts = fitted.family->parts(fitted.parameters);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    add_covariance(result, parts[i], descriptions[i].shape, unit);
  }
  add_covariance(result, noise.independent_sds(), PartShape::scales, unit);
  add_covariance(result, noise.factor(), PartShape::columns, unit);
  return result;
}

std::vector<double> total_sds(const Gaussian& fitted, const LocationNoise& noise) {
  std::vector<double> sds = fitted.family->standard_deviations(fitted.parameters);
  const std::vector<double> added = noise.standard_deviations();
  for (std::size_t i = 0; i < sds.size(); ++i) sds[i] = std::hypot(sds[i], added[i]);
  return sds;
}

Gaussian full_rank(const Gaussian& fitted, const LocationNoise& noise) {
  const std::size_t size = fitted.family->dimension();
  const auto location = fitted.family->location(fitted.parameters);
  const std::vector<double> sds = total_sds(fitted, noise);
  const VectorXd unit = VectorXd::Map(sds.data(), std::ssize(sds));
  if (const auto factor = cholesky_factor(total_covariance(fitted, noise, unit))) {
    const SharedFamily family = make_family(FamilyKind::full_rank, size);
    return {family, family->parameters(location, {rows_of(unit.asDiagonal() * *factor)})};
  }
  // Rounding left no positive definite matrix. The variances still are the sums.
  const SharedFamily family = make_family(FamilyKind::mean_field, size);
  return {family, family->parameters(location, {sds})};
}

}  // namespace

LocationNoise LocationNoise::of_sds(std::vector<double> sds) {
  LocationNoise noise;
  noise.dimension_ = sds.size();
  noise.sds_ = finite(std::move(sds));
  return noise;
}

LocationNoise LocationNoise::of_factor(std::vector<double> factor, std::size_t dimension) {
  assert(dimension > 0 && factor.size() % dimension == 0);
  LocationNoise noise;
  noise.dimension_ = dimension;
  noise.factor_ = finite(std::move(factor));
  return noise;
}

std::vector<double> LocationNoise::standard_deviations() const {
  if (factor_.empty()) return sds_;
  std::vector<double> sds;
  for (std::size_t i = 0; i < dimension_; ++i) {
    sds.push_back(length(std::span(factor_).subspan(i * width(), width())));
  }
  return sds;
}

void LocationNoise::add_draw(std::span<const double> eta, std::span<double> theta) const {
  assert(eta.size() == draw_size());
  for (std::size_t i = 0; i < sds_.size(); ++i) theta[i] += sds_[i] * eta[i];
  for (std::size_t i = 0; i < factor_.size(); ++i)
    theta[i / width()] += factor_[i] * eta[i % width()];
}

Gaussian with_noise(const Gaussian& fitted, const LocationNoise& noise) {
  const bool none = noise.draw_size() == 0;
  const bool known =
      std::ranges::all_of(fitted.parameters, [](double x) { return std::isfinite(x); });
  if (none || !known) return fitted;
  const Family& family = *fitted.family;
  std::vector<std::vector<double>> parts = family.parts(fitted.parameters);
  const std::size_t scales = scales_part(family);
  if (scales == parts.size() || !noise.factor().empty()) return full_rank(fitted, noise);
  const std::span<const double> added = noise.independent_sds();
  for (std::size_t i = 0; i < added.size(); ++i) {
    parts[scales][i] = std::hypot(parts[scales][i], added[i]);
  }
  return {fitted.family, family.parameters(family.location(fitted.parameters), parts)};
}

}  // namespace dpvi
