#pragma once

#include <string_view>
#include <vector>

#include <dpvi/stan/scalar_draws.hpp>

namespace dpvi {

// A parameter of a distribution: its numbers, matrices column by column.
struct KnownNumbers {
  std::vector<double> numbers;
  std::size_t rows = 1;
  std::size_t columns = 1;
  double number() const { return numbers[0]; }
};

// Distributions whose variates, or whose parameters, are vectors or matrices, by Stan's name.
bool has_vector_draw(std::string_view distribution);
// Sizes fit, and the shapes that Stan requires to be positive are. draw_vector() must not be asked
// otherwise.
bool has_valid_shapes(std::string_view distribution, const std::vector<KnownNumbers>& parameters);
// One variate, a matrix column by column; NaN where a matrix is not positive definite.
std::vector<double> draw_vector(const UniformSource& uniform, std::string_view distribution,
                                const std::vector<KnownNumbers>& parameters);

}  // namespace dpvi
