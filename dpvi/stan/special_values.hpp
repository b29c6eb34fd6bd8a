#pragma once

#include <span>
#include <string_view>

#include <dpvi/stan/syntax_tree.hpp>

namespace dpvi {

// The rule of a special type (simplex, ordered, cov_matrix, ...) that numbers break, within Stan's
// tolerance; empty if they keep it. A matrix is given row by row, a vector has one column.
struct SpecialShape {
  std::size_t rows = 1;
  std::size_t columns = 1;
};
std::string_view broken_rule(SpecialType special, std::span<const double> numbers,
                             SpecialShape shape);

}  // namespace dpvi
