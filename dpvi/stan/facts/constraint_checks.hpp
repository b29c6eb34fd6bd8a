#pragma once

#include <span>
#include <string_view>

#include <dpvi/stan/syntax/syntax_tree.hpp>

namespace dpvi {

// The rule of a special type (simplex, ordered, cov_matrix, ...) that the numbers violate, within
// Stan's tolerance; empty if they satisfy it. A matrix is in row-major order, a vector has one
// column.
struct SpecialShape {
  std::size_t rows = 1;
  std::size_t columns = 1;
};
std::string_view broken_rule(SpecialType special, std::span<const double> numbers,
                             SpecialShape shape);

}  // namespace dpvi
