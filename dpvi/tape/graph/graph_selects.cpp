#include <tuple>
#include <utility>

#include <dpvi/tape/graph/graph_builder.hpp>
#include <dpvi/tape/graph/rewrite_depth.hpp>

// A branch on a record's value evaluates both sides and selects between them. If both sides apply
// the same operation, the select moves to the operands that differ: select(c, f(a), f(b)) becomes
// f(select(c, a, b)), with exactly the same numbers in every entry. A density and its tail thus
// share their logarithms and exponentials. Selects among a record's own columns are evaluated once,
// at load.
namespace dpvi {
namespace {

// Each level may recurse twice into the next, so the work may double per level.
constexpr int kMaxLevels = 8;

}  // namespace

std::optional<NodeId> GraphBuilder::simplified_select(NodeId mask, NodeId a, NodeId b,
                                                      std::int32_t result) {
  const Node& first = (*graph_)[a];
  const Node& second = (*graph_)[b];
  // A side that needs no lanes is computed once per draw or once per record, and must stay so.
  const bool lanes = first.space == Space::lane && second.space == Space::lane;
  if (!lanes || first.length != result || second.length != result) return std::nullopt;
  if (select_depth_ >= kMaxLevels || rewrite_depth_ >= kMaxRewrites) return std::nullopt;
  const RewriteDepth deeper(rewrite_depth_);
  const RewriteDepth level(select_depth_);
  if (const auto difference = select_of_differences(mask, a, b)) return difference;
  if (first.op != second.op) return std::nullopt;
  switch (op_class(first.op)) {
    case OpClass::unary:
      return unary(first.op, select(mask, first.arguments[0], second.arguments[0]));
    case OpClass::binary:
      return select_of_binaries(mask, first, second);
    case OpClass::select:
      return select_of_selects(mask, first, second);
    default:
      return std::nullopt;
  }
}

// Handles x - y on one side and -z on the other.
std::optional<NodeId> GraphBuilder::select_of_differences(NodeId mask, NodeId a, NodeId b) {
  const Node& first = (*graph_)[a];
  const Node& second = (*graph_)[b];
  const NodeId zero = constant(0.0);
  if (first.op == Op::sub && second.op == Op::neg) {
    return sub(select(mask, first.arguments[0], zero),
               select(mask, first.arguments[1], second.arguments[0]));
  }
  if (first.op == Op::neg && second.op == Op::sub) {
    return sub(select(mask, zero, second.arguments[0]),
               select(mask, first.arguments[0], second.arguments[1]));
  }
  return std::nullopt;
}

// Applies only if the two sides share an argument.
std::optional<NodeId> GraphBuilder::select_of_binaries(NodeId mask, const Node& first,
                                                       const Node& second) {
  for (const auto& [i, j] : {std::pair(0, 0), std::pair(1, 1), std::pair(0, 1), std::pair(1, 0)}) {
    const auto [own, other] = std::pair(static_cast<std::size_t>(i), static_cast<std::size_t>(j));
    if (first.arguments[own] != second.arguments[other]) continue;
    if (i != j && !is_commutative(first.op)) continue;
    const NodeId shared = first.arguments[own];
    const NodeId rest = select(mask, first.arguments[1 - own], second.arguments[1 - other]);
    return i == 0 ? binary(first.op, shared, rest) : binary(first.op, rest, shared);
  }
  return std::nullopt;
}

// Applies if the two selects share their mask and first value, if no mask needs lanes, or if both
// are checks that yield NaN.
std::optional<NodeId> GraphBuilder::select_of_selects(NodeId mask, const Node& first,
                                                      const Node& second) {
  const auto [own, own_true, own_false] =
      std::tuple(first.arguments[0], first.arguments[1], first.arguments[2]);
  const auto [other, other_true, other_false] =
      std::tuple(second.arguments[0], second.arguments[1], second.arguments[2]);
  const bool checks = is_nan(own_false) && own_false == other_false;
  const bool free_masks = (space(mask) | space(own) | space(other)) != Space::lane;
  if (own == other && own_true == other_true) {
    return select(own, own_true, select(mask, own_false, other_false));
  }
  if (!checks && !free_masks) return std::nullopt;
  return select(select(mask, own, other), select(mask, own_true, other_true),
                select(mask, own_false, other_false));
}

}  // namespace dpvi
