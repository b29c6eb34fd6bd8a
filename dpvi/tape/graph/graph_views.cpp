#include <algorithm>

#include <dpvi/tape/graph/graph_builder.hpp>
#include <dpvi/tape/graph/rewrite_depth.hpp>

// Slices, packs and gathers. Pieces of one value are recognised wherever they meet again.
namespace dpvi {
namespace {

// A vector counts as long if it has at least kLongVector entries, and kLongFactor times as many as
// are gathered from it.
constexpr std::int32_t kLongVector = 32;
constexpr std::int32_t kLongFactor = 4;

// Operations that may run after a gather instead of before it. NaN from an invalid index stays NaN.
bool follows_gather(Op op) {
  switch (op) {
    case Op::neg:
    case Op::exp:
    case Op::log:
    case Op::sqrt:
    case Op::square:
    case Op::inv:
    case Op::inv_logit:
    case Op::add:
    case Op::sub:
    case Op::mul:
    case Op::div:
      return true;
    default:
      return false;
  }
}

// Inputs are the only nodes whose slices are again one node of the same kind.
bool is_contiguous_input(const Node& node) {
  return node.op == Op::theta || node.op == Op::record_real || node.op == Op::record_int;
}

struct Place {
  NodeId base;
  std::int32_t offset;
  std::int32_t stride;
};

// The value that a part of a pack is a slice of, and its place there. Any other part is its own
// base.
Place place_of(const Graph& graph, NodeId id) {
  const Node& node = graph[id];
  if (node.op == Op::slice) {
    return {node.arguments[0], node.attributes[0], node.length == 1 ? 1 : node.attributes[1]};
  }
  return {id, 0, 1};
}

}  // namespace

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

// Parts that lie entirely inside the slice are kept whole; the others are cut.
NodeId GraphBuilder::slice_of_pack(const Node& pack_node, std::int32_t offset,
                                   std::int32_t wanted) {
  const std::span<const NodeId> all = pack_node.arguments;
  if (all.size() == static_cast<std::size_t>(pack_node.length)) {  // all parts are scalars
    return pack(all.subspan(static_cast<std::size_t>(offset), static_cast<std::size_t>(wanted)));
  }
  count_work(all.size() / 8);
  std::vector<NodeId> parts;
  std::int32_t begin = 0;
  for (const NodeId part : all) {
    if (begin >= offset + wanted) break;
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
  count_work(parts.size());
  if (const auto vectorised = vectorised_pack(parts)) return *vectorised;
  std::int32_t total = 0;
  for (const NodeId part : parts) total += length(part);
  return intern(Op::pack, total, std::span<const NodeId>(parts));
}

// Replaces scalars computed by the same operation by one operation on packed arguments. A loop over
// components thus becomes a few vector operations.
std::optional<NodeId> GraphBuilder::vectorised_pack(std::span<const NodeId> parts) {
  const Graph& graph = *graph_;
  const Node& first = graph[parts[0]];
  const OpClass kind = op_class(first.op);
  const bool by_entry =
      kind == OpClass::unary || kind == OpClass::binary || kind == OpClass::select;
  const bool alike = std::ranges::all_of(
      parts, [&](NodeId part) { return graph[part].op == first.op && graph[part].length == 1; });
  if (!by_entry || !alike || rewrite_depth_ >= kMaxRewrites) return std::nullopt;
  const RewriteDepth deeper(rewrite_depth_);
  std::vector<NodeId> packed;
  for (std::size_t i = 0; i < first.arguments.size(); ++i) {
    std::vector<NodeId> column;
    for (const NodeId part : parts) column.push_back(aligned_argument(graph[part], first, i));
    const bool all_same = std::ranges::all_of(column, [&](NodeId x) { return x == column[0]; });
    packed.push_back(all_same ? column[0] : pack(column));
  }
  if (kind == OpClass::unary) return unary(first.op, packed[0]);
  if (kind == OpClass::binary) return binary(first.op, packed[0], packed[1]);
  return select(packed[0], packed[1], packed[2]);
}

// Argument i of `node`. A commutative operation may have its two arguments in the other order than
// `model`.
NodeId GraphBuilder::aligned_argument(const Node& node, const Node& model, std::size_t i) const {
  const auto resembles = [&](NodeId a, NodeId b) {
    return a == b || ((*graph_)[a].op == (*graph_)[b].op && space(a) == space(b));
  };
  const bool swapped = is_commutative(node.op) &&
                       !resembles(node.arguments[0], model.arguments[0]) &&
                       resembles(node.arguments[1], model.arguments[0]);
  return node.arguments[swapped ? 1 - i : i];
}

// Appends a piece. Consecutive pieces of one value are joined into one piece.
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
  // Two single entries determine a stride. A longer run must continue its own stride.
  const std::int32_t stride = a.length == 1 ? right.offset - left.offset : left.stride;
  const bool continues = right.offset == left.offset + a.length * stride &&
                         (b.length == 1 || right.stride == stride) && stride >= 0;
  if (!continues) return std::nullopt;
  return slice(left.base, left.offset, a.length + b.length, stride);
}

// Replaces a gather from a long vector that was computed entry by entry from parameters by the same
// operation on gathered entries. Neither the work nor the gradient of a record then grows with the
// length of the vector.
std::optional<NodeId> GraphBuilder::operation_on_gathered(NodeId x, NodeId index,
                                                          const GatherShape& shape) {
  if (keep_gathered_vectors_) return std::nullopt;
  const std::int32_t entries = length(index) * shape.length;
  const bool is_long = length(x) >= kLongVector && length(x) >= kLongFactor * entries;
  if (!is_long || space(x) != Space::uniform || space(index) != Space::data) return std::nullopt;
  const Node& node = (*graph_)[x];
  if (rewrite_depth_ >= kMaxRewrites || !follows_gather(node.op)) return std::nullopt;
  const RewriteDepth deeper(rewrite_depth_);
  const auto gathered = [&](NodeId argument) {
    return length(argument) == 1 ? argument : gather(argument, index, shape);
  };
  if (node.arguments.size() == 1) return unary(node.op, gathered(node.arguments[0]));
  const NodeId first = node.arguments[0];
  const NodeId second = node.arguments[1];
  return binary(node.op, gathered(first), gathered(second));
}

}  // namespace dpvi
