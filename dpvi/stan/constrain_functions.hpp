#pragma once

#include <span>

#include <dpvi/stan/call_context.hpp>

namespace dpvi {

// A constrained value made of free numbers, and the logarithm of the transform's Jacobian.
struct ConstrainedValue {
  Value value;
  NodeId log_jacobian;
};

// The function being called (context.function), one of those ending in _jacobian.
ConstrainedValue constrained_value(CallContext& context, std::span<const Value> arguments);

}  // namespace dpvi
