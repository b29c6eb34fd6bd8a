#include <dpvi/tape/graph/graph_builder.hpp>

#include <cmath>
#include <limits>
#include <utility>

#include <dpvi/tape/graph/rewrite_depth.hpp>

// Rewrites that preserve every finite value up to the last rounding and never turn NaN into a
// number. For example, x * 0 is kept, because x may be NaN.
namespace dpvi {

bool GraphBuilder::is_value(NodeId x, double value) const {
  const double* constant = constant_value(x);
  return constant != nullptr && *constant == value;
}

bool GraphBuilder::is_nan(NodeId x) const {
  const Node& node = (*graph_)[x];
  return node.op == Op::constant && node.length == 1 && std::isnan(node.values[0]);
}

std::optional<NodeId> GraphBuilder::simplified_unary(Op op, NodeId x) {
  const Node& node = (*graph_)[x];
  if (op == Op::neg && node.op == Op::neg) return node.arguments[0];
  if (op == Op::neg && node.op == Op::sub) return sub(node.arguments[1], node.arguments[0]);
  if (op == Op::inv && node.op == Op::inv) return node.arguments[0];
  if (op == Op::log && node.op == Op::exp) return node.arguments[0];
  if ((op == Op::square || op == Op::fabs) && node.op == Op::neg) {
    return unary(op, node.arguments[0]);
  }
  // The logarithm of a checked exponential, select(check, exp(x), NaN).
  if (op == Op::log && node.op == Op::select && is_nan(node.arguments[2])) {
    const Node& checked = (*graph_)[node.arguments[1]];
    if (checked.op == Op::exp && checked.length == node.length) {
      return select(node.arguments[0], checked.arguments[0], node.arguments[2]);
    }
  }
  // Applies the operation once to the scalar instead of once per repetition.
  if (node.op == Op::slice && node.attributes[1] == 0 && node.length > 1) {
    return broadcast(unary(op, element(x, 0)), node.length);
  }
  return std::nullopt;
}

std::optional<NodeId> GraphBuilder::simplified_binary(Op op, NodeId a, NodeId b,
                                                      std::int32_t result) {
  const Graph& graph = *graph_;
  // A repeated scalar need not be expanded if the other side has the full length.
  const auto unrepeated = [&](NodeId x, NodeId other) {
    const Node& node = graph[x];
    const bool repeats = node.op == Op::slice && node.attributes[1] == 0 && node.length > 1;
    return repeats && length(other) == result && result > 1 ? element(x, 0) : x;
  };
  if (const NodeId scalar = unrepeated(a, b); scalar != a) return binary(op, scalar, b);
  if (const NodeId scalar = unrepeated(b, a); scalar != b) return binary(op, a, scalar);

  const bool keeps_a = length(a) == result;
  const bool keeps_b = length(b) == result;
  const Node& second = graph[b];
  switch (op) {
    case Op::add:
      if (is_value(b, 0.0) && keeps_a) return a;
      if (is_value(a, 0.0) && keeps_b) return b;
      if (second.op == Op::neg) return sub(a, second.arguments[0]);
      if (graph[a].op == Op::neg) return sub(b, graph[a].arguments[0]);
      return regrouped_sum(a, b, true);
    case Op::sub:
      if (is_value(b, 0.0) && keeps_a) return a;
      if (is_value(a, 0.0) && keeps_b) return neg(b);
      if (second.op == Op::neg) return add(a, second.arguments[0]);
      return regrouped_sum(a, b, false);
    case Op::mul:
      if (is_value(b, 1.0) && keeps_a) return a;
      if (is_value(a, 1.0) && keeps_b) return b;
      if (is_value(b, -1.0) && keeps_a) return neg(a);
      if (is_value(a, -1.0) && keeps_b) return neg(b);
      if (a == b) return square(a);
      if (const auto positive = product_without_sign(a, b)) return positive;
      return regrouped_product(a, b);
    case Op::div:
      if (is_value(b, 1.0) && keeps_a) return a;
      if (is_value(a, 1.0) && keeps_b) return inv(b);
      // Takes one reciprocal per draw instead of one division per record.
      if (depends_on_record(space(a)) && !depends_on_record(space(b)) && !is_constant(b)) {
        return mul(a, inv(b));
      }
      return std::nullopt;
    case Op::pow:
      return simplified_pow(a, b, result);
    case Op::lt:
      return comparison_of_exponential(a, b);
    default:
      return std::nullopt;
  }
}

// Decides from x alone whether exp(x) is positive or finite.
std::optional<NodeId> GraphBuilder::comparison_of_exponential(NodeId a, NodeId b) {
  constexpr double kSmallest = -745.13321910194122;  // below, exp(x) is 0 in double precision
  constexpr double kLargest = 709.78271289338397;    // above, it is infinite
  if (is_value(a, 0.0) && (*graph_)[b].op == Op::exp) {
    return binary(Op::lt, constant(kSmallest), (*graph_)[b].arguments[0]);
  }
  if (is_value(b, std::numeric_limits<double>::infinity()) && (*graph_)[a].op == Op::exp) {
    return binary(Op::le, (*graph_)[a].arguments[0], constant(kLargest));
  }
  return std::nullopt;
}

// Moves the sign of -x to a factor that does not depend on the record, where it costs nothing per
// record.
std::optional<NodeId> GraphBuilder::product_without_sign(NodeId a, NodeId b) {
  for (const auto& [negative, other] : {std::pair(a, b), std::pair(b, a)}) {
    const Node& node = (*graph_)[negative];
    if (node.op == Op::neg && node.space == Space::lane && !depends_on_record(space(other))) {
      return mul(node.arguments[0], neg(other));
    }
  }
  return std::nullopt;
}

// True if `outer` and `part` together need no lanes, but `part` and `rest` do. The first two are
// then combined and computed once per draw or once per record: u + (v + x) becomes (u + v) + x.
bool GraphBuilder::belongs_together(NodeId outer, NodeId part, NodeId rest) const {
  return (space(outer) | space(part)) != Space::lane && (space(part) | space(rest)) == Space::lane;
}

std::optional<NodeId> GraphBuilder::regrouped_product(NodeId a, NodeId b) {
  for (const auto& [outer, product] : {std::pair(a, b), std::pair(b, a)}) {
    const Node& node = (*graph_)[product];
    if (node.op != Op::mul) continue;
    for (const std::size_t i : {0, 1}) {
      const NodeId part = node.arguments[i];
      const NodeId rest = node.arguments[1 - i];
      if (belongs_together(outer, part, rest)) return mul(mul(outer, part), rest);
    }
  }
  return std::nullopt;
}

// Regroups a + b, or a - b unless `adds`.
std::optional<NodeId> GraphBuilder::regrouped_sum(NodeId a, NodeId b, bool adds) {
  // The sum of two signed values, of which at most one is negative.
  const auto signed_sum = [&](NodeId x, bool x_positive, NodeId y, bool y_positive) {
    if (!x_positive) return sub(y, x);
    return y_positive ? add(x, y) : sub(x, y);
  };
  for (const bool inner_is_b : {true, false}) {
    const NodeId outer = inner_is_b ? a : b;
    const Node& node = (*graph_)[inner_is_b ? b : a];
    if (node.op != Op::add && node.op != Op::sub) continue;
    const bool outer_positive = inner_is_b || adds;
    const bool inner_positive = !inner_is_b || adds;
    for (const std::size_t i : {0, 1}) {
      const NodeId part = node.arguments[i];
      const NodeId rest = node.arguments[1 - i];
      if (!belongs_together(outer, part, rest)) continue;
      const auto sign_of = [&](std::size_t argument) {
        return inner_positive == (node.op == Op::add || argument == 0);
      };
      if (!outer_positive && !sign_of(i)) return sub(rest, add(outer, part));
      return signed_sum(signed_sum(outer, outer_positive, part, sign_of(i)), true, rest,
                        sign_of(1 - i));
    }
  }
  return std::nullopt;
}

std::optional<NodeId> GraphBuilder::simplified_pow(NodeId a, NodeId b, std::int32_t result) {
  const double* exponent = constant_value(b);
  if (exponent == nullptr || length(a) != result) return std::nullopt;
  if (*exponent == 1.0) return a;
  if (*exponent == 2.0) return square(a);
  if (*exponent == 3.0) return mul(square(a), a);
  if (*exponent == -1.0) return inv(a);
  if (*exponent == -2.0) return inv(square(a));
  return std::nullopt;
}

std::optional<NodeId> GraphBuilder::simplified_reduction(Op op, NodeId x) {
  if (op != Op::sum || rewrite_depth_ >= kMaxRewrites) return std::nullopt;
  const RewriteDepth deeper(rewrite_depth_);
  const Node& node = (*graph_)[x];
  switch (node.op) {
    case Op::mul:
      return dot(node.arguments[0], node.arguments[1]);
    case Op::neg:
      return neg(sum(node.arguments[0]));
    case Op::add:
    case Op::sub:
      return distributed_sum(node);
    case Op::square:
      return sum_of_squares(node.arguments[0]);
    case Op::slice:
      if (node.attributes[1] != 0) return std::nullopt;
      return mul(constant(node.length), element(x, 0));
    default:
      return std::nullopt;
  }
}

// Splits the sum of a + b or a - b if one part is a scalar or has a cheaper sum of its own.
std::optional<NodeId> GraphBuilder::distributed_sum(const Node& node) {
  const auto is_shorter = [&](NodeId part) {
    const Op op = (*graph_)[part].op;
    return length(part) == 1 || op == Op::mul || op == Op::square;
  };
  if (!is_shorter(node.arguments[0]) && !is_shorter(node.arguments[1])) return std::nullopt;
  const auto whole_sum = [&](NodeId part) {
    return length(part) == 1 ? mul(constant(node.length), part) : sum(part);
  };
  return binary(node.op, whole_sum(node.arguments[0]), whole_sum(node.arguments[1]));
}

NodeId GraphBuilder::sum_of_squares(NodeId x) {
  const Node& node = (*graph_)[x];
  if (node.op == Op::sub) return squared_distance(node.arguments[0], node.arguments[1]);
  if (node.op == Op::mul) {  // a scalar factors out of the sum
    const auto [a, b] = std::pair(node.arguments[0], node.arguments[1]);
    if (length(a) == 1) return mul(square(a), sum(square(b)));
    if (length(b) == 1) return mul(square(b), sum(square(a)));
  }
  return dot(x, x);
}

}  // namespace dpvi
