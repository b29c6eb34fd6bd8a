#include <dpvi/tape/compile/lane_adjoints.hpp>

#include <algorithm>
#include <cmath>

#include <dpvi/tape/graph/reachable.hpp>

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
  count_uses(root, nodes);
  const Range range = adjoint(skip_nan_checks(root));
  root_adjoint_ = AdjointOperand{range.store, range.first * kLanes, kLanes};
  writes_.plan_write(range.store, positions(range, 1), false);
  live_.insert(unsliced(graph_, skip_nan_checks(root)));
  for (auto it = nodes.rbegin(); it != nodes.rend(); ++it) {
    const NodeId id = *it;
    const Node& node = graph_[id];
    if (!live_.contains(id) || op_class(node.op) == OpClass::input) continue;
    if (!scaled_.contains(id)) {
      const Range own = adjoint(id);
      writes_.plan_read(own.store, positions(own, node.length));
    }
    for (std::size_t i = 0; i < node.arguments.size(); ++i) {
      if (passes_back(id, i) && is_active(skip_nan_checks(node.arguments[i]))) pull(id, i);
    }
  }
}

// True if the argument's adjoint receives a contribution from the node's adjoint.
bool LaneAdjoints::passes_back(NodeId id, std::size_t argument) const {
  switch (op_class(graph_[id].op)) {
    case OpClass::unary:
    case OpClass::binary:
    case OpClass::several:
      return !is_step(graph_[id].op);
    case OpClass::select:
      return argument != 0;  // argument 0 is the mask
    case OpClass::gather:
      return argument == 0;
    case OpClass::solve_lower:
      return argument != 1;  // argument 1 is the inverse; the factor receives its adjoint
    default:
      return true;
  }
}

void LaneAdjoints::count_uses(NodeId root, std::span<const NodeId> nodes) {
  std::set<NodeId> reached = {skip_nan_checks(root)};
  for (auto it = nodes.rbegin(); it != nodes.rend(); ++it) {
    if (!reached.contains(*it)) continue;
    const Node& node = graph_[*it];
    for (std::size_t i = 0; i < node.arguments.size(); ++i) {
      if (!passes_back(*it, i)) continue;
      const NodeId argument = skip_nan_checks(node.arguments[i]);
      ++uses_[argument];
      reached.insert(argument);
    }
  }
}

// Skips checks of the form select(check, value, NaN). If the check fails, the NaN reaches the root
// and the lane has no gradient at all. Otherwise the adjoint of the select is that of the value.
// Adjoints therefore bypass the check.
NodeId LaneAdjoints::skip_nan_checks(NodeId id) const {
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
    const Range base = adjoint(skip_nan_checks(node.arguments[0]));
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
      pull_elementwise(id, argument);
      break;
    case OpClass::select:
      emit(id, argument,
           {argument == 1 ? AdjointRule::where : AdjointRule::where_not,
            node.length,
            {values_.operand(node.arguments[0]), {}}});
      break;
    case OpClass::pack:
      pull_pack(id, argument);
      break;
    case OpClass::gather:
      pull_gather(id);
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
      emit(id, argument, {AdjointRule::copy, node.length, {}});
      break;
    case Op::sub:
      emit(id, argument,
           {argument == 0 ? AdjointRule::copy : AdjointRule::negate, node.length, {}});
      break;
    case Op::neg:
      emit(id, argument, {AdjointRule::negate, node.length, {}});
      break;
    case Op::mul:
      emit(
          id, argument,
          {AdjointRule::product, node.length, {values_.operand(node.arguments[1 - argument]), {}}});
      break;
    case Op::exp:
      emit(id, argument, {AdjointRule::product, node.length, {values_.operand(id), {}}});
      break;
    case Op::square:
      emit(id, argument, twice(values_.operand(node.arguments[0]), node.length));
      break;
    default:
      emit(id, argument,
           {AdjointRule::product, node.length, {values_.partial(id, argument, node.length), {}}});
  }
}

// The derivative of a square: the adjoint times 2 x.
LaneAdjoints::Rule LaneAdjoints::twice(const Operand& x, std::int32_t length) {
  const Operand two = values_.uniform_constant(2.0);
  if (is_uniform(x))
    return {AdjointRule::product, length, {values_.uniform_product(x, two, length), {}}};
  return {AdjointRule::scaled, length, {x, two}};
}

void LaneAdjoints::pull_reduction(NodeId id, std::size_t argument) {
  const Node& node = graph_[id];
  const std::int32_t length = longest_argument(graph_, node);
  switch (node.op) {
    case Op::sum:
      emit(id, argument, {AdjointRule::copy, length, {}, true});
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
           {AdjointRule::product,
            length,
            {values_.operand(node.arguments[1 - argument]), {}},
            true});
      break;
    case Op::squared_distance:
      emit(id, argument,
           {AdjointRule::difference,
            length,
            {values_.operand(node.arguments[argument]),
             values_.operand(node.arguments[1 - argument])},
            true});
      break;
    default:
      emit(id, argument,
           {AdjointRule::product, length, {values_.partial(id, argument, length), {}}, true});
  }
}

void LaneAdjoints::pull_pack(NodeId id, std::size_t argument) {
  const Node& node = graph_[id];
  std::int32_t first = 0;
  for (std::size_t i = 0; i < argument; ++i) first += graph_.length(node.arguments[i]);
  emit(id, argument, {AdjointRule::copy, graph_.length(node.arguments[argument]), {}}, first);
}

// Emits the instruction for an argument, starting at entry `first_entry` of the node's adjoint. A
// scalar argument receives the sum over all entries.
void LaneAdjoints::emit(NodeId id, std::size_t argument, const Rule& given,
                        std::int32_t first_entry) {
  const auto scaled = scaled_.find(id);
  const Rule rule = scaled == scaled_.end()
                        ? given
                        : combined(from_entry(scaled->second.rule, first_entry), given);
  const NodeId target_id = skip_nan_checks(graph_[id].arguments[argument]);
  const bool repeats = graph_.length(target_id) != rule.length;
  if (!repeats && (scale_adjoint(id, target_id, rule, first_entry) ||
                   (rule.kind == AdjointRule::copy && !rule.one_adjoint &&
                    share_adjoint(id, target_id, first_entry)))) {
    return;
  }
  Range target = adjoint(target_id);
  if (repeats) target.stride = 0;
  AdjointInstruction instruction = instruction_for(id, target_id, rule.kind);
  instruction.length = rule.length;
  instruction.adjoint.offset += first_entry * instruction.adjoint.stride;
  if (rule.one_adjoint) instruction.adjoint.stride = 0;
  instruction.target.stride = (rule.length == 1 ? 1 : target.stride) * kLanes;
  for (unsigned i = 0; i < 2; ++i) {
    instruction.factors[i] = rule.factors[i];
    if (is_uniform(rule.factors[i])) instruction.uniform |= 1U << i;
  }
  add_instruction(instruction, positions(target, target.stride == 0 ? 1 : rule.length), false);
}

// The rule for the entries from `first` on. The rule of a scalar holds for any number of entries.
LaneAdjoints::Rule LaneAdjoints::from_entry(const Rule& rule, std::int32_t first) {
  Rule result = rule;
  for (Operand& factor : result.factors) {
    factor.offset += first * factor.stride;
    if (rule.length == 1) factor.stride = 0;
  }
  return result;
}

// Combines two consecutive rules into one. At least one of them must be a copy or have uniform
// factors only.
LaneAdjoints::Rule LaneAdjoints::combined(const Rule& first, const Rule& second) {
  Rule result = second;
  std::optional<Operand> lanes;
  std::optional<Operand> uniform;
  const auto multiply = [&](const Operand& factor) {
    if (!is_uniform(factor)) {
      lanes = factor;
    } else if (uniform) {
      uniform = values_.uniform_product(*uniform, factor, second.length);
    } else {
      uniform = factor;
    }
  };
  for (const Rule* rule : {&first, &second}) {
    if (rule->kind == AdjointRule::negate) multiply(values_.uniform_constant(-1.0));
    if (rule->kind == AdjointRule::product || rule->kind == AdjointRule::scaled)
      multiply(rule->factors[0]);
    if (rule->kind == AdjointRule::scaled) multiply(rule->factors[1]);
  }
  result.kind = lanes && uniform ? AdjointRule::scaled : AdjointRule::product;
  result.factors[0] = lanes ? *lanes : *uniform;
  if (lanes && uniform) result.factors[1] = *uniform;
  return result;
}

// Represents the argument's adjoint as a multiple of a stored one instead of storing it. Uniform
// derivatives along a chain of operations are then multiplied once per draw, and no record pays for
// the links of the chain. The chain may start with a lane factor if the argument does not depend on
// the record. Returns false if this does not apply, e.g. because another node uses the argument.
bool LaneAdjoints::scale_adjoint(NodeId id, NodeId argument, const Rule& rule,
                                 std::int32_t first_entry) {
  const bool by_uniform = rule.kind == AdjointRule::negate ||
                          (rule.kind == AdjointRule::product && is_uniform(rule.factors[0]));
  const bool by_lanes = (rule.kind == AdjointRule::product || rule.kind == AdjointRule::scaled) &&
                        !depends_on_record(graph_.space(argument));
  if (!by_uniform && !by_lanes) return false;
  Range range = stored_adjoint(id);
  range.first += first_entry * range.stride;
  if (rule.one_adjoint) range.stride = 0;
  return scale_range(range, argument, rule);
}

bool LaneAdjoints::scale_range(const Range& range, NodeId argument, const Rule& rule) {
  const OpClass kind = op_class(graph_[argument].op);
  const bool passes_on = kind == OpClass::unary || kind == OpClass::binary ||
                         kind == OpClass::several || kind == OpClass::pack ||
                         kind == OpClass::reduction || graph_[argument].op == Op::dot;
  if (!passes_on || uses_[argument] != 1) return false;
  live_.insert(argument);
  return scaled_.try_emplace(argument, Scaled{range, rule}).second;
}

LaneAdjoints::Range LaneAdjoints::stored_adjoint(NodeId id) {
  const auto scaled = scaled_.find(id);
  return scaled == scaled_.end() ? adjoint(id) : scaled->second.range;
}

// Lets an argument use the node's adjoint as its own. The argument's adjoint must be a copy of the
// node's, and no other node may use the argument.
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

AdjointInstruction LaneAdjoints::instruction_for(const Range& from, NodeId target,
                                                 AdjointRule kind) {
  live_.insert(skip_nan_checks(unsliced(graph_, target)));
  AdjointInstruction instruction;
  instruction.kind = kind;
  instruction.adjoint = location(from);
  instruction.target = location(adjoint(target));
  return instruction;
}

AdjointInstruction LaneAdjoints::instruction_for(NodeId id, NodeId target, AdjointRule kind) {
  AdjointInstruction instruction = instruction_for(stored_adjoint(id), target, kind);
  instruction.shape = graph_[id].attributes;
  return instruction;
}

void LaneAdjoints::add_instruction(AdjointInstruction instruction,
                                   std::span<const std::int32_t> targets, bool always_adds) {
  instruction.accumulate = writes_.plan_write(instruction.target.where, targets, always_adds);
  instructions_.push_back(instruction);
}

void LaneAdjoints::pull_gather(NodeId id) {
  if (rows_.first_row(id)) return;  // its adjoint is already in the gradient
  const Node& node = graph_[id];
  const NodeId target_id = skip_nan_checks(node.arguments[0]);
  const Range target = adjoint(target_id);
  const auto [extent, index_stride, block, stride, offset] = node.attributes;
  std::vector<std::int32_t> targets;
  for (std::int32_t index = 0; index < extent; ++index) {
    for (std::int32_t k = 0; k < block; ++k) {
      const std::int32_t entry = offset + index * index_stride + k * stride;
      targets.push_back(target.first + entry * target.stride);
    }
  }
  AdjointInstruction instruction = instruction_for(id, target_id, AdjointRule::scatter);
  instruction.indices = graph_.length(node.arguments[1]);
  instruction.factors[0] = values_.index_operand(node.arguments[1]);
  add_instruction(instruction, targets, true);
}

void LaneAdjoints::pull_matmul(NodeId id, std::size_t argument) {
  const Node& node = graph_[id];
  const NodeId target_id = skip_nan_checks(node.arguments[argument]);
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
  // Entries that the strides visit more than once must be accumulated.
  const std::set<std::int32_t> distinct(targets.begin(), targets.end());
  AdjointInstruction instruction = instruction_for(
      id, target_id, argument == 0 ? AdjointRule::matmul_first : AdjointRule::matmul_second);
  instruction.factors[0] = values_.operand(node.arguments[1 - argument]);
  instruction.uniform = is_uniform(instruction.factors[0]) ? 1U : 0U;
  add_instruction(instruction, targets, distinct.size() < targets.size());
}

// For z = L^-1 b with adjoint a, the adjoint of b is w = L^-T a. The adjoint of L is -w z' in the
// lower triangle.
void LaneAdjoints::pull_solve(NodeId id, std::size_t argument) {
  const Range minus_w = solved_back(id);
  if (argument == 0) {
    pull_factor(id, minus_w);
    return;
  }
  const NodeId b = skip_nan_checks(graph_[id].arguments[2]);
  if (scale_range(minus_w, b, {AdjointRule::negate, graph_.length(id), {}})) return;
  AdjointInstruction instruction = instruction_for(minus_w, b, AdjointRule::negate);
  instruction.length = graph_.length(id);
  add_instruction(instruction, positions(adjoint(b), instruction.length), false);
}

LaneAdjoints::Range LaneAdjoints::solved_back(NodeId id) {
  const auto [found, is_new] =
      solved_.try_emplace(id, Range{AdjointStore::workspace, workspace_vectors_, 1});
  if (!is_new) return found->second;
  workspace_vectors_ += graph_.length(id);
  AdjointInstruction instruction;
  instruction.kind = AdjointRule::solve_back;
  instruction.length = graph_.length(id);
  instruction.adjoint = location(adjoint(id));
  instruction.target = location(found->second);
  instruction.factors[0] = values_.operand(graph_[id].arguments[1]);
  instruction.uniform = is_uniform(instruction.factors[0]) ? 1U : 0U;
  add_instruction(instruction, positions(found->second, instruction.length), false);
  return found->second;
}

// The origin of an entry of a value: the part of a pack, or the value itself.
LaneAdjoints::Entry LaneAdjoints::origin(NodeId id, std::int32_t entry) const {
  id = skip_nan_checks(id);
  if (graph_[id].op != Op::pack) return {id, entry};
  for (const NodeId part : graph_[id].arguments) {
    if (entry < graph_.length(part)) return {skip_nan_checks(part), entry};
    entry -= graph_.length(part);
  }
  return {id, entry};
}

// Passes adjoints back entry by entry, to the origin of each entry.
void LaneAdjoints::pull_factor(NodeId id, const Range& minus_w) {
  const std::int32_t size = graph_.length(id);
  const NodeId factor = graph_[id].arguments[0];
  const bool used_once = uses_[skip_nan_checks(factor)] == 1;
  const Operand z = values_.operand(id);
  for (std::int32_t column = 0; column < size; ++column) {
    for (std::int32_t row = column; row < size; ++row) {
      const Entry target = origin(factor, column * size + row);
      if (!is_active(target.id)) continue;
      const Range adjoint_of_row{minus_w.store, minus_w.first + row, 1};
      const Operand z_of_column{z.where, z.offset + column * z.stride, z.stride};
      const bool uniform_from_here =
          graph_.length(target.id) == 1 && !depends_on_record(graph_.space(target.id));
      if (used_once && uniform_from_here &&
          scale_range(adjoint_of_row, target.id, {AdjointRule::product, 1, {z_of_column, {}}})) {
        continue;
      }
      AdjointInstruction instruction =
          instruction_for(adjoint_of_row, target.id, AdjointRule::product);
      instruction.length = 1;
      instruction.target.offset += target.entry * instruction.target.stride;
      instruction.factors[0] = z_of_column;
      instruction.uniform = is_uniform(z) ? 1U : 0U;
      const std::int32_t position = instruction.target.offset / kLanes;
      add_instruction(instruction, std::span(&position, 1), false);
    }
  }
}

}  // namespace dpvi
