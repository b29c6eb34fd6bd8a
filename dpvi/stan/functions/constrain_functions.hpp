#pragma once

#include <span>

#include <dpvi/stan/value/call_context.hpp>

namespace dpvi {

// A constrained value computed from unconstrained numbers, and the log Jacobian of the transform.
struct ConstrainedValue {
  Value value;
  NodeId log_jacobian;
};

// Evaluates the function being called (context.function), whose name ends in _jacobian.
ConstrainedValue constrained_value(CallContext& context, std::span<const Value> arguments);

}  // namespace dpvi
