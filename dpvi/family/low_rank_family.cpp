#include <dpvi/family/low_rank_family.hpp>

#include <cassert>
#include <cmath>

#include <dpvi/base/internal/dense_solvers.hpp>
#include <dpvi/family/identity_plus_columns.hpp>
#include <dpvi/family/internal/principal_factors.hpp>

namespace dpvi {
namespace {

// Multiplies each row of a matrix by the diagonal entry of the map.
std::vector<double> times_diagonal(const TriangularMatrix& map, std::vector<double> rows) {
  const std::size_t width = rows.size() / map.size;
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] *= map(i / width, i / width);
  return rows;
}

}  // namespace

LowRankFamily::LowRankFamily(std::size_t dimension, std::size_t rank)
    : GaussianFamily(
          [dimension, rank] {
            std::vector<FurtherEntries> rows;
            for (std::size_t i = 0; i < dimension; ++i) {
              rows.push_back(
                  {.first = 2 * dimension + i * rank, .count = rank, .first_draw = dimension});
            }
            return rows;
          }(),
          dimension + rank) {
  assert(rank > 0);
}

std::vector<double> LowRankFamily::parameters_of_scales(std::span<const double> location,
                                                        std::span<const double> scales) const {
  // Columns of zeros would stay zero, because the gradient with respect to them vanishes on
  // average.
  constexpr double kFirst = 0.1;
  std::vector<double> diagonal(dimension()), columns(dimension() * rank(), 0.0);
  for (std::size_t i = 0; i < dimension(); ++i) {
    diagonal[i] = scales[i] / std::hypot(1.0, kFirst);
    columns[i * rank() + i % rank()] = kFirst * diagonal[i];
  }
  return parameters(location, {diagonal, columns});
}

std::vector<double> LowRankFamily::parameters(std::span<const double> location,
                                              const std::vector<std::vector<double>>& parts) const {
  const std::span<const double> columns = parts.at(1);
  assert(columns.size() == dimension() * rank());
  std::vector<double> result = parameters_of_diagonal(location, parts[0]);
  for (std::size_t i = 0; i < dimension(); ++i) {
    set_row(result, i, columns.subspan(i * rank(), rank()));
  }
  return result;
}

std::vector<std::vector<double>> LowRankFamily::parts(std::span<const double> parameters) const {
  return {diagonal(parameters), columns(parameters)};
}

void LowRankFamily::add_entropy_gradient(std::span<const double> parameters,
                                         std::span<double> gradient) const {
  GaussianFamily::add_entropy_gradient(parameters, gradient);
  const std::vector<double> slopes =
      IdentityPlusColumns(relative_columns(parameters), rank()).half_log_determinant_gradient();
  for (std::size_t i = 0; i < slopes.size(); ++i) {
    gradient[2 * dimension() + i] += kCorrelationScale * slopes[i];
  }
}

double LowRankFamily::log_density(std::span<const double> parameters,
                                  std::span<const double> eta) const {
  const std::vector<double> columns = relative_columns(parameters);
  const auto own = eta.first(dimension());
  std::vector<double> from_location(own.begin(), own.end());
  for (std::size_t i = 0; i < columns.size(); ++i) {
    from_location[i / rank()] += columns[i] * eta[dimension() + i % rank()];
  }
  const IdentityPlusColumns covariance(columns, rank());
  return peak_of_diagonal(parameters) - covariance.half_log_determinant() -
         0.5 * covariance.square(from_location);
}

std::vector<double> LowRankFamily::mapped(std::span<const double> parameters,
                                          std::span<const double> location,
                                          const TriangularMatrix& map) const {
  const std::vector<double> shared_rows = columns(parameters);
  const std::vector<double> scales = diagonal(parameters);
  if (map.is_diagonal()) {
    return this->parameters(location,
                            {times_diagonal(map, scales), times_diagonal(map, shared_rows)});
  }
  const Eigen::MatrixXd shared = matrix_of(shared_rows, dimension());
  Eigen::MatrixXd before = shared * shared.transpose();
  before.diagonal() += Eigen::VectorXd::Map(scales.data(), before.rows()).cwiseAbs2();
  const Eigen::MatrixXd outer = square_matrix(map.entries);
  const PrincipalFactors factors(outer * before * outer.transpose(), shared.cols());
  return this->parameters(
      location, {{factors.diagonal.begin(), factors.diagonal.end()}, rows_of(factors.columns)});
}

std::vector<double> LowRankFamily::relative_columns(std::span<const double> parameters) const {
  std::vector<double> result;
  for (const double entry : parameters.subspan(2 * dimension())) {
    result.push_back(kCorrelationScale * entry);
  }
  return result;
}

std::vector<double> LowRankFamily::columns(std::span<const double> parameters) const {
  std::vector<double> result = relative_columns(parameters);
  for (std::size_t i = 0; i < result.size(); ++i) {
    result[i] *= std::exp(log_diagonal(parameters)[i / rank()]);
  }
  return result;
}

}  // namespace dpvi
