#include <dpvi/family/mean_field_family.hpp>

#include <cmath>

namespace dpvi {
namespace {

// Column `column` of the inverse.
std::vector<double> inverse_column(const TriangularMatrix& matrix, std::size_t column) {
  std::vector<double> result(matrix.size, 0.0);
  for (std::size_t i = column; i < matrix.size; ++i) {
    double rest = i == column ? 1.0 : 0.0;
    for (std::size_t k = column; k < i; ++k) rest -= matrix(i, k) * result[k];
    result[i] = rest / matrix(i, i);
  }
  return result;
}

// z = map^-1 theta has independent entries with these scales, so the conditional precision of
// theta's entry i is the sum over k of (map^-1)_ki^2 / scale_k^2.
std::vector<double> conditional_scales(const TriangularMatrix& map,
                                       std::span<const double> scales) {
  std::vector<double> result(map.size);
  for (std::size_t i = 0; i < map.size; ++i) {
    if (map.is_diagonal()) {
      result[i] = map(i, i) * scales[i];
      continue;
    }
    const std::vector<double> column = inverse_column(map, i);
    double precision = 0.0;
    for (std::size_t k = i; k < map.size; ++k) precision += std::pow(column[k] / scales[k], 2);
    result[i] = 1.0 / std::sqrt(precision);
  }
  return result;
}

}  // namespace

MeanFieldFamily::MeanFieldFamily(std::size_t dimension)
    : GaussianFamily(std::vector<FurtherEntries>(dimension, {2 * dimension, 0, 0}), dimension) {}

std::vector<double> MeanFieldFamily::parameters(
    std::span<const double> location, const std::vector<std::vector<double>>& parts) const {
  return parameters_of_diagonal(location, parts.at(0));
}

std::vector<std::vector<double>> MeanFieldFamily::parts(std::span<const double> parameters) const {
  return {diagonal(parameters)};
}

std::vector<double> MeanFieldFamily::mapped(std::span<const double> parameters,
                                            std::span<const double> location,
                                            const TriangularMatrix& map) const {
  return parameters_of_diagonal(location, conditional_scales(map, standard_deviations(parameters)));
}

}  // namespace dpvi
