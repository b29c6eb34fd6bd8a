#pragma once

#include <optional>
#include <vector>

#include <dpvi/stan/syntax/syntax_tree.hpp>

namespace dpvi {

// Result types of Stan's operators; nullopt if the operator does not accept these operands.
std::optional<StanType> binary_type(Operator op, StanType left, StanType right);
std::optional<StanType> unary_type(Operator op, StanType operand);
std::optional<StanType> transposed_type(StanType operand);

// The type of x[...]. keeps[i] is true if index i is a range or an array, so that its dimension
// remains. At most type.rank() indices.
StanType indexed_type(StanType type, const std::vector<bool>& keeps);

}  // namespace dpvi
