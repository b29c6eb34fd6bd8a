#pragma once

#include <dpvi/stan/syntax/syntax_tree.hpp>
#include <dpvi/stan/value/call_context.hpp>

namespace dpvi {

// Stan's operators on values with compatible types (type_rules.hpp); sizes are checked here.
Value binary_value(CallContext& context, Operator op, const Value& left, const Value& right);
Value unary_value(CallContext& context, Operator op, const Value& operand);
Value transposed(CallContext& context, const Value& operand);

// Reorders the entries of an array of numbers to the layout of a container of the same sizes
// (column-major for a matrix). Returns other values unchanged.
Value laid_out_like(CallContext& context, const Value& value, const Value& like);

// Applies `op` entry by entry; a scalar is broadcast. The result has the type of the containers,
// with ints promoted to reals unless both operands are ints.
Value elementwise(CallContext& context, Op op, const Value& left, const Value& right);
Value elementwise(CallContext& context, Op op, const Value& operand);

// Selects mask ? yes : no, entry by entry, for two values of one shape; the mask is a scalar.
Value blended(CallContext& context, NodeId mask, const Value& yes, const Value& no);

Value matrix_product(CallContext& context, const Value& left, const Value& right);
// Solve left * x = right and x * right = left.
Value left_division(CallContext& context, const Value& left, const Value& right);
Value right_division(CallContext& context, const Value& left, const Value& right);

// "3 x 2", "4" or "a scalar"; for messages.
std::string shape_text(const Value& value);

}  // namespace dpvi
