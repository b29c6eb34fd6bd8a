#include <dpvi/family/full_rank_family.hpp>

#include <cassert>
#include <cmath>

namespace dpvi {
namespace {

// Product of two lower triangular matrices, row-major.
std::vector<double> triangular_product(const TriangularMatrix& outer,
                                       std::span<const double> inner) {
  const std::size_t size = outer.size;
  std::vector<double> result(size * size, 0.0);
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t k = 0; k <= i; ++k) {
      const double factor = outer(i, k);
      for (std::size_t j = 0; j <= k; ++j) result[i * size + j] += factor * inner[k * size + j];
    }
  }
  return result;
}

}  // namespace

FullRankFamily::FullRankFamily(std::size_t dimension)
    : GaussianFamily(
          [dimension] {
            std::vector<FurtherEntries> rows;
            std::size_t first = 2 * dimension;
            for (std::size_t i = 0; i < dimension; ++i) {
              rows.push_back({.first = first, .count = i, .first_draw = 0});
              first += i;
            }
            return rows;
          }(),
          dimension) {}

std::vector<double> FullRankFamily::parameters(
    std::span<const double> location, const std::vector<std::vector<double>>& parts) const {
  const std::span<const double> factor = parts.at(0);
  assert(factor.size() == dimension() * dimension());
  std::vector<double> diagonal(dimension());
  for (std::size_t i = 0; i < dimension(); ++i) diagonal[i] = factor[i * dimension() + i];
  std::vector<double> result = parameters_of_diagonal(location, diagonal);
  for (std::size_t i = 0; i < dimension(); ++i) {
    set_row(result, i, factor.subspan(i * dimension(), i));
  }
  return result;
}

std::vector<std::vector<double>> FullRankFamily::parts(std::span<const double> parameters) const {
  std::vector<double> factor(dimension() * dimension(), 0.0);
  for (std::size_t i = 0; i < dimension(); ++i) {
    const double scale = std::exp(log_diagonal(parameters)[i]);
    double* row = factor.data() + i * dimension();
    for (const double entry : relative_row(parameters, i)) *row++ = scale * entry;
    factor[i * dimension() + i] = scale;
  }
  return {factor};
}

std::vector<double> FullRankFamily::mapped(std::span<const double> parameters,
                                           std::span<const double> location,
                                           const TriangularMatrix& map) const {
  return this->parameters(location, {triangular_product(map, parts(parameters).at(0))});
}

}  // namespace dpvi
