#include <dpvi/fit/train/gaussian_in_theta.hpp>

#include <cmath>

#include <dpvi/fit/numerics/internal/dense_solvers.hpp>
#include <dpvi/fit/numerics/internal/principal_factors.hpp>

namespace dpvi {
namespace {

// Product of the factor of the coordinates and a lower triangular factor, both row-major.
std::vector<double> product(const Coordinates& coordinates, std::span<const double> inner) {
  const std::size_t size = coordinates.size();
  std::vector<double> result(size * size, 0.0);
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t k = 0; k <= i; ++k) {
      const double outer = coordinates.factor(i, k);
      for (std::size_t j = 0; j <= k; ++j) result[i * size + j] += outer * inner[k * size + j];
    }
  }
  return result;
}

// Column `column` of the inverse of the coordinates' factor.
std::vector<double> inverse_column(const Coordinates& coordinates, std::size_t column) {
  const std::size_t size = coordinates.size();
  std::vector<double> result(size, 0.0);
  for (std::size_t i = column; i < size; ++i) {
    double rest = i == column ? 1.0 : 0.0;
    for (std::size_t k = column; k < i; ++k) rest -= coordinates.factor(i, k) * result[k];
    result[i] = rest / coordinates.factor(i, i);
  }
  return result;
}

// z = L^-1 (theta - centre) has independent entries with these scales, so the conditional precision
// of theta's entry i is the sum over k of (L^-1)_ki^2 / scale_k^2.
std::vector<double> conditional_scales(const Coordinates& coordinates, std::vector<double> scales) {
  const std::size_t size = coordinates.size();
  std::vector<double> result(size);
  for (std::size_t i = 0; i < size; ++i) {
    if (coordinates.is_diagonal()) {
      result[i] = coordinates.factor(i, i) * scales[i];
      continue;
    }
    const std::vector<double> column = inverse_column(coordinates, i);
    double precision = 0.0;
    for (std::size_t k = i; k < size; ++k) precision += std::pow(column[k] / scales[k], 2);
    result[i] = 1.0 / std::sqrt(precision);
  }
  return result;
}

std::vector<double> times_diagonal(const Coordinates& coordinates, std::span<const double> rows) {
  std::vector<double> result(rows.begin(), rows.end());
  const std::size_t width = rows.size() / coordinates.size();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    result[i] *= coordinates.factor(i / width, i / width);
  }
  return result;
}

std::vector<double> low_rank_in_theta(const GaussianFamily& family, const Coordinates& coordinates,
                                      std::span<const double> parameters,
                                      std::span<const double> location) {
  const std::vector<double> columns = family.columns(parameters);
  const std::vector<double> diagonal = family.diagonal(parameters);
  if (coordinates.is_diagonal()) {
    return family.parameters(location, times_diagonal(coordinates, diagonal),
                             times_diagonal(coordinates, columns));
  }
  const Eigen::MatrixXd shared = matrix_of(columns, family.dimension());
  Eigen::MatrixXd in_z = shared * shared.transpose();
  in_z.diagonal() += Eigen::VectorXd::Map(diagonal.data(), in_z.rows()).cwiseAbs2();
  const Eigen::MatrixXd identity = Eigen::MatrixXd::Identity(in_z.rows(), in_z.rows());
  const Eigen::MatrixXd outer = square_matrix(product(coordinates, rows_of(identity)));
  const PrincipalFactors factors(outer * in_z * outer.transpose(), shared.cols());
  return family.parameters(location, {factors.diagonal.data(), family.dimension()},
                           rows_of(factors.columns));
}

}  // namespace

std::vector<double> gaussian_in_theta(const GaussianFamily& family, const Coordinates& coordinates,
                                      std::span<const double> parameters) {
  std::vector<double> location(family.dimension());
  coordinates.to_theta(family.location(parameters), location);
  switch (family.kind()) {
    case FamilyKind::mean_field:
      break;
    case FamilyKind::low_rank:
      return low_rank_in_theta(family, coordinates, parameters, location);
    case FamilyKind::full_rank:
      return family.parameters(location, product(coordinates, family.factor(parameters)));
  }
  return family.parameters_of_scales(
      location, conditional_scales(coordinates, family.standard_deviations(parameters)));
}

}  // namespace dpvi
