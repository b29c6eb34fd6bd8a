#include <dpvi/tape/graph_builder.hpp>

#include <algorithm>

// Rewrites that leave every finite value as it was, up to the last rounding, and never turn NaN
// into a number: x * 0 is kept, because x may be NaN.
namespace dpvi {
namespace {

// Inputs are the only nodes whose slices are again one node of the same kind.
bool is_contiguous_input(const Node& node) {
  return node.op == Op::theta || node.op == Op::record_real || node.op == Op::record_int;
}

struct Place {
  NodeId base;
  std::int32_t offset;
  std::int32_t stride;
};

// Where a part of a pack comes from, if it is a piece of a larger value.
Place place_of(const Graph& graph, NodeId id) {
  const Node& node = graph[id];
  if (node.op == Op::slice) {
    return {node.arguments[0], node.attributes[0], node.length == 1 ? 1 : node.attributes[1]};
  }
  return {id, 0, 1};
}

}  // namespace

bool GraphBuilder::is_value(NodeId x, double value) const {
  const double* constant = constant_value(x);
  return constant != nullptr && *constant == value;
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
  // One operation on the scalar instead of one per repetition.
  if (node.op == Op::slice && node.attributes[1] == 0 && node.length > 1) {
    return broadcast(unary(op, element(x, 0)), node.length);
  }
  return std::nullopt;
}

std::optional<NodeId> GraphBuilder::simplified_binary(Op op, NodeId a, NodeId b,
                                                      std::int32_t result) {
  const Graph& graph = *graph_;
  // A repeated scalar repeats by itself where the other side has the full length.
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
      return std::nullopt;
    case Op::sub:
      if (is_value(b, 0.0) && keeps_a) return a;
      if (is_value(a, 0.0) && keeps_b) return neg(b);
      if (second.op == Op::neg) return add(a, second.arguments[0]);
      return std::nullopt;
    case Op::mul:
      if (is_value(b, 1.0) && keeps_a) return a;
      if (is_value(a, 1.0) && keeps_b) return b;
      if (is_value(b, -1.0) && keeps_a) return neg(a);
      if (is_value(a, -1.0) && keeps_b) return neg(b);
      if (a == b) return square(a);
      return std::nullopt;
    case Op::div:
      if (is_value(b, 1.0) && keeps_a) return a;
      if (is_value(a, 1.0) && keeps_b) return inv(b);
      // One reciprocal a draw instead of one division a record.
      if (depends_on_record(space(a)) && !depends_on_record(space(b)) && !is_constant(b)) {
        return mul(a, inv(b));
      }
      return std::nullopt;
    case Op::pow:
      return simplified_pow(a, b, result);
    default:
      return std::nullopt;
  }
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
  if (op != Op::sum) return std::nullopt;
  const Node& node = (*graph_)[x];
  switch (node.op) {
    case Op::mul:
      return dot(node.arguments[0], node.arguments[1]);
    case Op::neg:
      return neg(sum(node.arguments[0]));
    case Op::square: {
      const NodeId argument = node.arguments[0];
      const Node& inner = (*graph_)[argument];
      if (inner.op == Op::sub) return squared_distance(inner.arguments[0], inner.arguments[1]);
      return dot(argument, argument);
    }
    case Op::slice:
      if (node.attributes[1] != 0) return std::nullopt;
      return mul(constant(node.length), element(x, 0));
    default:
      return std::nullopt;
  }
}

std::optional<NodeId> GraphBuilder::simplified_slice(NodeId x, std::int32_t offset,
                                                     std::int32_t wanted, std::int32_t stride) {
  const Node& node = (*graph_)[x];
  if (offset == 0 && wanted == node.length && stride == 1) return x;
  if (node.op == Op::slice) {
    return slice(node.arguments[0], node.attributes[0] + offset * node.attributes[1], wanted,
                 stride * node.attributes[1]);
  }
  if (is_contiguous_input(node) && stride == 1) {
    return input(node.op, node.attributes[0] + offset, wanted);
  }
  if (node.op == Op::pack && stride == 1) return slice_of_pack(node, offset, wanted);
  return std::nullopt;
}

// Parts that lie wholly inside are taken whole, the others cut.
NodeId GraphBuilder::slice_of_pack(const Node& pack_node, std::int32_t offset,
                                   std::int32_t wanted) {
  std::vector<NodeId> parts;
  std::int32_t begin = 0;
  for (const NodeId part : pack_node.arguments) {
    const std::int32_t end = begin + length(part);
    const std::int32_t first = std::max(begin, offset);
    const std::int32_t last = std::min(end, offset + wanted);
    if (first < last) parts.push_back(slice(part, first - begin, last - first));
    begin = end;
  }
  return pack(parts);
}

NodeId GraphBuilder::pack(std::span<const NodeId> given) {
  std::vector<NodeId> parts;
  for (const NodeId part : given) {
    const Node& node = (*graph_)[part];
    const auto inner = node.op == Op::pack ? node.arguments : std::span(&part, 1);
    for (const NodeId piece : inner) append_part(parts, piece);
  }
  if (parts.empty()) return constant(std::span<const double>());
  if (parts.size() == 1) return parts[0];
  std::int32_t total = 0;
  for (const NodeId part : parts) total += length(part);
  return intern(Op::pack, total, std::span<const NodeId>(parts));
}

// Pieces of one value that follow each other become one piece.
void GraphBuilder::append_part(std::vector<NodeId>& parts, NodeId piece) {
  if (length(piece) == 0) return;
  if (!parts.empty()) {
    if (const auto joined = joined_pieces(parts.back(), piece)) {
      parts.back() = *joined;
      return;
    }
  }
  parts.push_back(piece);
}

std::optional<NodeId> GraphBuilder::joined_pieces(NodeId first, NodeId second) {
  const Node& a = (*graph_)[first];
  const Node& b = (*graph_)[second];
  if (is_contiguous_input(a) && a.op == b.op && a.attributes[0] + a.length == b.attributes[0]) {
    return input(a.op, a.attributes[0], a.length + b.length);
  }
  if (first == second && a.length == 1) return broadcast(first, 2);
  const Place left = place_of(*graph_, first);
  const Place right = place_of(*graph_, second);
  if (left.base != right.base || length(left.base) == 1) {
    const bool repeats = left.base == right.base && left.stride == 0 && a.length > 1;
    return repeats ? std::optional(broadcast(left.base, a.length + b.length)) : std::nullopt;
  }
  // Two single entries fix a stride; longer runs must continue the one they have.
  const std::int32_t stride = a.length == 1 ? right.offset - left.offset : left.stride;
  const bool continues = right.offset == left.offset + a.length * stride &&
                         (b.length == 1 || right.stride == stride) && stride >= 0;
  if (!continues) return std::nullopt;
  return slice(left.base, left.offset, a.length + b.length, stride);
}

}  // namespace dpvi
