#include <dpvi/fit/train/gaussian_in_theta.hpp>

namespace dpvi {
namespace {

TriangularMatrix factor_of(const Coordinates& coordinates) {
  const std::size_t size = coordinates.size();
  const bool diagonal = coordinates.is_diagonal();
  TriangularMatrix factor{.size = size, .entries = {}};
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t k = diagonal ? i : 0; k < (diagonal ? i + 1 : size); ++k) {
      factor.entries.push_back(coordinates.factor(i, k));
    }
  }
  return factor;
}

}  // namespace

std::vector<double> gaussian_in_theta(const Family& family, const Coordinates& coordinates,
                                      std::span<const double> parameters) {
  std::vector<double> location(family.dimension());
  coordinates.to_theta(family.location(parameters), location);
  return family.mapped(parameters, location, factor_of(coordinates));
}

}  // namespace dpvi
