#pragma once

#include <optional>

#include <dpvi/tape/graph/graph_builder.hpp>

namespace dpvi {

// A derivative as a node; nullopt is exactly zero.
using Derivative = std::optional<NodeId>;

// First and second partial derivatives of an elementwise operation of one argument, as nodes.
struct UnaryPartials {
  Derivative first;
  Derivative second;
};
// Of an operation of two arguments (a, b).
struct BinaryPartials {
  Derivative a, b;
  Derivative aa, ab, bb;
};

// The partial derivatives of y = op(x), or nullopt if the second is not known as a formula of
// operations.
std::optional<UnaryPartials> unary_partials(GraphBuilder& builder, Op op, NodeId x, NodeId y);
// Those of y = op(a, b) with respect to the arguments that `wanted` selects.
struct WantedPartials {
  bool a = false;
  bool b = false;
};
std::optional<BinaryPartials> binary_partials(GraphBuilder& builder, Op op, NodeId a, NodeId b,
                                              WantedPartials wanted);

}  // namespace dpvi
