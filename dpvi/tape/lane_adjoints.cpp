#include <dpvi/tape/lane_adjoints.hpp>

#include <algorithm>
#include <cmath>

#include <dpvi/tape/reachable.hpp>

namespace dpvi {
namespace {

bool is_nan_constant(const Node& node) {
  return node.op == Op::constant &&
         std::ranges::all_of(node.values, [](double value) { return std::isnan(value); });
}

}  // namespace

LaneAdjoints::LaneAdjoints(const Graph& graph, const ThetaRows& rows, LaneValues& values)
    : graph_(graph), rows_(rows), values_(values), writes_(rows.rows().size()) {}

void LaneAdjoints::plan(NodeId root, std::span<const NodeId> nodes) {
  if (!is_active(root)) return;
  count_uses(nodes);
  const Range range = adjoint(seen_through(root));
  root_adjoint_ = AdjointOperand{range.store, range.first * kLanes, kLanes};
  writes_.plan_write(range.store, positions(range, 1), false);
  live_.insert(unsliced(graph_, seen_through(root)));
  for (auto it = nodes.rbegin(); it != nodes.rend(); ++it) {
    const NodeId id = *it;
    const Node& node = graph_[id];
    if (!live_.contains(id) || op_class(node.op) == OpClass::input) continue;
    if (!scaled_.contains(id)) {
      const Range own = adjoint(id);
      writes_.plan_read(own.store, positions(own, node.length));
    }
    for (std::size_t i = 0; i < node.arguments.size(); ++i) {
      if (is_active(seen_through(node.arguments[i]))) pull(id, i);
    }
  }
}

void LaneAdjoints::count_uses(std::span<const NodeId> nodes) {
  for (const NodeId id : nodes) {
    if (seen_through(id) != id) continue;
    for (const NodeId argument : graph_[id].arguments) ++uses_[seen_through(argument)];
  }
}

// A value that is checked before it is used: select(check, value, NaN). Where the check fails, the
// NaN reaches the root, and the lane has no gradient at all; elsewhere the adjoint is the value's.
// So no adjoint stops at the check.
NodeId LaneAdjoints::seen_through(NodeId id) const {
  while (graph_[id].op == Op::select) {
    const auto arguments = graph_[id].arguments;
    const bool checks =
        graph_.length(arguments[1]) == graph_.length(id) && is_nan_constant(graph_[arguments[2]]);
    const bool refuses =
        graph_.length(arguments[2]) == graph_.length(id) && is_nan_constant(graph_[arguments[1]]);
    if (!checks && !refuses) return id;
    id = arguments[checks ? 1 : 2];
  }
  return id;
}

LaneAdjoints::Range LaneAdjoints::adjoint(NodeId id) {
  const Node& node = graph_[id];
  if (const auto range = theta_range(graph_, id)) {
    return {AdjointStore::gradient, rows_.row_of(range->first), range->stride};
  }
  if (const auto row = rows_.first_row(id)) return {AdjointStore::gradient, *row, 1};
  if (node.op == Op::slice) {
    const Range base = adjoint(seen_through(node.arguments[0]));
    return {base.store, base.first + node.attributes[0] * base.stride,
            node.attributes[1] * base.stride};
  }
  const auto [found, is_new] = offsets_.try_emplace(id, workspace_vectors_);
  if (is_new) workspace_vectors_ += node.length;
  return {AdjointStore::workspace, found->second, 1};
}

std::vector<std::int32_t> LaneAdjoints::positions(const Range& range, std::int32_t count) const {
  std::vector<std::int32_t> result;
  for (std::int32_t i = 0; i < count; ++i) result.push_back(range.first + i * range.stride);
  return result;
}

void LaneAdjoints::pull(NodeId id, std::size_t argument) {
  const Node& node = graph_[id];
  switch (op_class(node.op)) {
    case OpClass::unary:
    case OpClass::binary:
    case OpClass::several:
      if (!is_step(node.op)) pull_elementwise(id, argument);
      break;
    case OpClass::select:
      if (argument == 0) break;  // the mask
      emit(id, argument,
           {argument == 1 ? Pull::where : Pull::where_not,
            node.length,
            {values_.operand(node.arguments[0]), {}}});
      break;
    case OpClass::pack:
      pull_pack(id, argument);
      break;
    case OpClass::gather:
      if (argument == 0) pull_gather(id);
      break;
    case OpClass::reduction:
    case OpClass::pair_reduction:
      pull_reduction(id, argument);
      break;
    case OpClass::matmul:
      pull_matmul(id, argument);
      break;
    case OpClass::solve_lower:
      pull_solve(id, argument);
      break;
    case OpClass::input:
    case OpClass::slice:
      break;
  }
}

void LaneAdjoints::pull_elementwise(NodeId id, std::size_t argument) {
  const Node& node = graph_[id];
  switch (node.op) {
    case Op::add:
      emit(id, argument, {Pull::copy, node.length, {}});
      break;
    case Op::sub:
      emit(id, argument, {argument == 0 ? Pull::copy : Pull::negate, node.length, {}});
      break;
    case Op::neg:
      emit(id, argument, {Pull::negate, node.length, {}});
      break;
    case Op::mul:
      emit(id, argument,
           {Pull::product, node.length, {values_.operand(node.arguments[1 - argument]), {}}});
      break;
    case Op::exp:
      emit(id, argument, {Pull::product, node.length, {values_.operand(id), {}}});
      break;
    case Op::square:
      emit(id, argument, twice(values_.operand(node.arguments[0]), node.length));
      break;
    default:
      emit(id, argument,
           {Pull::product, node.length, {values_.partial(id, argument, node.length), {}}});
  }
}

// The derivative of squares: times 2 x.
LaneAdjoints::Rule LaneAdjoints::twice(const Operand& x, std::int32_t length) {
  const Operand two = values_.uniform_constant(2.0);
  if (is_uniform(x)) return {Pull::product, length, {values_.uniform_product(x, two, length), {}}};
  return {Pull::scaled, length, {x, two}};
}

void LaneAdjoints::pull_reduction(NodeId id, std::size_t argument) {
  const Node& node = graph_[id];
  const std::int32_t length = longest_argument(graph_, node);
  switch (node.op) {
    case Op::sum:
      emit(id, argument, {Pull::copy, length, {}, true});
      break;
    case Op::dot:
      if (node.arguments[0] == node.arguments[1]) {  // a sum of squares
        if (argument == 1) break;
        Rule rule = twice(values_.operand(node.arguments[0]), length);
        rule.one_adjoint = true;
        emit(id, argument, rule);
        break;
      }
      emit(id, argument,
           {Pull::product, length, {values_.operand(node.arguments[1 - argument]), {}}, true});
      break;
    case Op::squared_distance:
      emit(id, argument,
           {Pull::difference,
            length,
            {values_.operand(node.arguments[argument]),
             values_.operand(node.arguments[1 - argument])},
            true});
      break;
    default:
      emit(id, argument,
           {Pull::product, length, {values_.partial(id, argument, length), {}}, true});
  }
}

void LaneAdjoints::pull_pack(NodeId id, std::size_t argument) {
  const Node& node = graph_[id];
  std::int32_t first = 0;
  for (std::size_t i = 0; i < argument; ++i) first += graph_.length(node.arguments[i]);
  emit(id, argument, {Pull::copy, graph_.length(node.arguments[argument]), {}}, first);
}

// One pull of entries, starting at an entry of the node's adjoint, into an argument; a scalar
// argument takes the sum of them all.
void LaneAdjoints::emit(NodeId id, std::size_t argument, const Rule& given,
                        std::int32_t first_entry) {
  const auto scaled = scaled_.find(id);
  const Rule rule = scaled == scaled_.end() ? given : with_factor(given, scaled->second.factor);
  const NodeId target_id = seen_through(graph_[id].arguments[argument]);
  const bool repeats = graph_.length(target_id) != rule.length;
  if (!repeats &&
      (scale_adjoint(id, target_id, rule) || (rule.pull == Pull::copy && !rule.one_adjoint &&
                                              share_adjoint(id, target_id, first_entry)))) {
    return;
  }
  Range target = adjoint(target_id);
  if (repeats) target.stride = 0;
  PullInstruction pull = instruction(id, target_id, rule.pull);
  pull.length = rule.length;
  pull.adjoint.offset += first_entry * kLanes;
  if (rule.one_adjoint) pull.adjoint.stride = 0;
  pull.target.stride = (rule.length == 1 ? 1 : target.stride) * kLanes;
  for (unsigned i = 0; i < 2; ++i) {
    pull.factors[i] = rule.factors[i];
    if (is_uniform(rule.factors[i])) pull.uniform |= 1U << i;
  }
  add_pull(pull, positions(target, target.stride == 0 ? 1 : rule.length), false);
}

// The rule of a node whose own adjoint is a stored one times a uniform factor.
LaneAdjoints::Rule LaneAdjoints::with_factor(const Rule& rule, const Operand& factor) {
  Rule result = rule;
  result.pull = Pull::product;
  if (rule.pull == Pull::copy) {
    result.factors[0] = factor;
  } else if (rule.pull == Pull::product && !is_uniform(rule.factors[0])) {
    result.pull = Pull::scaled;
    result.factors[1] = factor;
  } else if (rule.pull == Pull::scaled) {
    result.pull = Pull::scaled;
    result.factors[1] = values_.uniform_product(factor, rule.factors[1], rule.length);
  } else {
    const Operand own =
        rule.pull == Pull::negate ? values_.uniform_constant(-1.0) : rule.factors[0];
    result.factors[0] = values_.uniform_product(factor, own, rule.length);
  }
  return result;
}

// Along a chain of operations uniform derivatives multiply once a draw, and no record pays for the
// links. For an argument that only this node uses.
bool LaneAdjoints::scale_adjoint(NodeId id, NodeId argument, const Rule& rule) {
  const bool scales =
      rule.pull == Pull::negate || (rule.pull == Pull::product && is_uniform(rule.factors[0]));
  if (!scales) return false;
  Range range = stored_adjoint(id);
  if (rule.one_adjoint) range.stride = 0;
  const Operand factor =
      rule.pull == Pull::negate ? values_.uniform_constant(-1.0) : rule.factors[0];
  return scale_range(range, argument, factor);
}

bool LaneAdjoints::scale_range(const Range& range, NodeId argument, const Operand& factor) {
  const OpClass kind = op_class(graph_[argument].op);
  const bool by_entry =
      kind == OpClass::unary || kind == OpClass::binary || kind == OpClass::several;
  if (!by_entry || uses_[argument] != 1) return false;
  live_.insert(argument);
  return scaled_.try_emplace(argument, Scaled{range, factor}).second;
}

LaneAdjoints::Range LaneAdjoints::stored_adjoint(NodeId id) {
  const auto scaled = scaled_.find(id);
  return scaled == scaled_.end() ? adjoint(id) : scaled->second.range;
}

// An argument that only this node uses, and whose adjoint is a copy of the node's, needs no adjoint
// of its own.
bool LaneAdjoints::share_adjoint(NodeId id, NodeId argument, std::int32_t first_entry) {
  const Op op = graph_[argument].op;
  const bool has_place =
      op == Op::slice || op == Op::theta || rows_.first_row(argument).has_value();
  if (uses_[argument] != 1 || has_place) return false;
  const Range own = adjoint(id);
  const bool is_new = offsets_.try_emplace(argument, own.first + first_entry).second;
  if (is_new) live_.insert(argument);
  return is_new;
}

AdjointOperand LaneAdjoints::location(const Range& range) {
  return {range.store, range.first * kLanes, range.stride * kLanes};
}

PullInstruction LaneAdjoints::instruction(const Range& from, NodeId target, Pull kind) {
  live_.insert(seen_through(unsliced(graph_, target)));
  PullInstruction pull;
  pull.pull = kind;
  pull.adjoint = location(from);
  pull.target = location(adjoint(target));
  return pull;
}

PullInstruction LaneAdjoints::instruction(NodeId id, NodeId target, Pull kind) {
  PullInstruction pull = instruction(stored_adjoint(id), target, kind);
  pull.shape = graph_[id].attributes;
  return pull;
}

void LaneAdjoints::add_pull(PullInstruction pull, std::span<const std::int32_t> targets,
                            bool always_adds) {
  pull.accumulate = writes_.plan_write(pull.target.where, targets, always_adds);
  pulls_.push_back(pull);
}

void LaneAdjoints::pull_gather(NodeId id) {
  if (rows_.first_row(id)) return;  // its adjoint is the gradient
  const Node& node = graph_[id];
  const NodeId target_id = seen_through(node.arguments[0]);
  const Range target = adjoint(target_id);
  const auto [extent, index_stride, block, stride, offset] = node.attributes;
  std::vector<std::int32_t> targets;
  for (std::int32_t index = 0; index < extent; ++index) {
    for (std::int32_t k = 0; k < block; ++k) {
      const std::int32_t entry = offset + index * index_stride + k * stride;
      targets.push_back(target.first + entry * target.stride);
    }
  }
  PullInstruction pull = instruction(id, target_id, Pull::scatter);
  pull.indices = graph_.length(node.arguments[1]);
  pull.factors[0] = values_.index_operand(node.arguments[1]);
  add_pull(pull, targets, true);
}

void LaneAdjoints::pull_matmul(NodeId id, std::size_t argument) {
  const Node& node = graph_[id];
  const NodeId target_id = seen_through(node.arguments[argument]);
  const Range target = adjoint(target_id);
  const auto [rows, inner, columns, row_stride, column_stride] = node.attributes;
  std::vector<std::int32_t> targets;
  if (argument == 0) {
    for (std::int32_t row = 0; row < rows; ++row) {
      for (std::int32_t k = 0; k < inner; ++k) {
        const std::int32_t entry = row * row_stride + k * column_stride;
        targets.push_back(target.first + entry * target.stride);
      }
    }
  } else {
    targets = positions(target, inner * columns);
  }
  // Entries that the strides show more than once must add up.
  const std::set<std::int32_t> distinct(targets.begin(), targets.end());
  PullInstruction pull =
      instruction(id, target_id, argument == 0 ? Pull::matmul_first : Pull::matmul_second);
  pull.factors[0] = values_.operand(node.arguments[1 - argument]);
  pull.uniform = is_uniform(pull.factors[0]) ? 1U : 0U;
  add_pull(pull, targets, distinct.size() < targets.size());
}

// z = L^-1 b with adjoint a: b's adjoint is w = L^-T a, and L's is -w z' in the lower triangle.
void LaneAdjoints::pull_solve(NodeId id, std::size_t argument) {
  if (argument == 1) return;  // the inverse: L takes its part
  const Range minus_w = solved_back(id);
  if (argument == 0) {
    pull_factor(id, minus_w);
    return;
  }
  const NodeId b = seen_through(graph_[id].arguments[2]);
  if (scale_range(minus_w, b, values_.uniform_constant(-1.0))) return;
  PullInstruction pull = instruction(minus_w, b, Pull::negate);
  pull.length = graph_.length(id);
  add_pull(pull, positions(adjoint(b), pull.length), false);
}

LaneAdjoints::Range LaneAdjoints::solved_back(NodeId id) {
  const auto [found, is_new] =
      solved_.try_emplace(id, Range{AdjointStore::workspace, workspace_vectors_, 1});
  if (!is_new) return found->second;
  workspace_vectors_ += graph_.length(id);
  PullInstruction pull;
  pull.pull = Pull::solve_back;
  pull.length = graph_.length(id);
  pull.adjoint = location(adjoint(id));
  pull.target = location(found->second);
  pull.factors[0] = values_.operand(graph_[id].arguments[1]);
  pull.uniform = is_uniform(pull.factors[0]) ? 1U : 0U;
  add_pull(pull, positions(found->second, pull.length), false);
  return found->second;
}

// Where an entry of a value comes from: the part of a pack, or the value itself.
LaneAdjoints::Entry LaneAdjoints::origin(NodeId id, std::int32_t entry) const {
  id = seen_through(id);
  if (graph_[id].op != Op::pack) return {id, entry};
  for (const NodeId part : graph_[id].arguments) {
    if (entry < graph_.length(part)) return {seen_through(part), entry};
    entry -= graph_.length(part);
  }
  return {id, entry};
}

// Entry by entry, to where each comes from.
void LaneAdjoints::pull_factor(NodeId id, const Range& minus_w) {
  const std::int32_t size = graph_.length(id);
  const Operand z = values_.operand(id);
  for (std::int32_t column = 0; column < size; ++column) {
    for (std::int32_t row = column; row < size; ++row) {
      const Entry target = origin(graph_[id].arguments[0], column * size + row);
      if (!is_active(target.id)) continue;
      PullInstruction pull =
          instruction({minus_w.store, minus_w.first + row, 1}, target.id, Pull::product);
      pull.length = 1;
      pull.target.offset += target.entry * pull.target.stride;
      pull.factors[0] = {z.where, z.offset + column * z.stride, z.stride};
      pull.uniform = is_uniform(z) ? 1U : 0U;
      const std::int32_t position = pull.target.offset / kLanes;
      add_pull(pull, std::span(&position, 1), false);
    }
  }
}

}  // namespace dpvi
