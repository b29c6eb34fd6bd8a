#pragma once

#include <dpvi/stan/call_context.hpp>
#include <dpvi/stan/syntax_tree.hpp>

namespace dpvi {

// Stan's operators on values whose types fit (type_rules.hpp); sizes are checked here.
Value binary_value(CallContext& context, Operator op, const Value& left, const Value& right);
Value unary_value(CallContext& context, Operator op, const Value& operand);
Value transposed(CallContext& context, const Value& operand);

// The entries of an array of numbers as they lie in a container of the same sizes: those of a
// matrix column by column. Other values as they are.
Value laid_out_like(CallContext& context, const Value& value, const Value& like);

// Entry by entry; a scalar repeats. The result has the containers' type, with reals for ints
// unless both are ints.
Value elementwise(CallContext& context, Op op, const Value& left, const Value& right);
Value elementwise(CallContext& context, Op op, const Value& operand);

// mask ? yes : no, entry by entry, for two values of one shape; the mask is a scalar.
Value blended(CallContext& context, NodeId mask, const Value& yes, const Value& no);

Value matrix_product(CallContext& context, const Value& left, const Value& right);
// Solves left * x = right and x * right = left.
Value left_division(CallContext& context, const Value& left, const Value& right);
Value right_division(CallContext& context, const Value& left, const Value& right);

// "3 x 2", "4", "a scalar"; for messages.
std::string shape_text(const Value& value);

}  // namespace dpvi
