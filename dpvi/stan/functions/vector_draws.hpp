#pragma once

#include <string_view>
#include <vector>

#include <dpvi/stan/value/scalar_draws.hpp>

namespace dpvi {

// A parameter of a distribution; matrices in column-major order.
struct KnownNumbers {
  std::vector<double> numbers;
  std::size_t rows = 1;
  std::size_t columns = 1;
  double number() const { return numbers[0]; }
};

// True for Stan's distributions whose variates or parameters are vectors or matrices.
bool has_vector_draw(std::string_view distribution);
// True if the sizes match and the shapes that Stan requires to be positive are positive. This is a
// precondition of draw_vector().
bool has_valid_shapes(std::string_view distribution, const std::vector<KnownNumbers>& parameters);
// One variate, matrices in column-major order; NaN if a matrix is not positive definite.
std::vector<double> draw_vector(const UniformSource& uniform, std::string_view distribution,
                                const std::vector<KnownNumbers>& parameters);

}  // namespace dpvi
