#pragma once

#include <optional>
#include <vector>

#include <dpvi/stan/syntax_tree.hpp>

namespace dpvi {

// Types of Stan's operators. Nothing if the operator does not take these operands.
std::optional<StanType> binary_type(Operator op, StanType left, StanType right);
std::optional<StanType> unary_type(Operator op, StanType operand);
std::optional<StanType> transposed_type(StanType operand);

// The type of x[...] where keeps[i] says that index i is a range or an array and keeps its
// dimension. At most type.rank() indices.
StanType indexed_type(StanType type, const std::vector<bool>& keeps);

}  // namespace dpvi
