#include <dpvi/tape/compile/lane_values.hpp>

#include <algorithm>

#include <dpvi/tape/graph/reachable.hpp>

namespace dpvi {

std::int32_t longest_argument(const Graph& graph, const Node& node) {
  std::int32_t length = 1;
  for (const NodeId argument : node.arguments) length = std::max(length, graph.length(argument));
  return length;
}

LaneValues::LaneValues(const Graph& graph, NodeId root, std::span<const NodeId> nodes)
    : graph_(graph), columns_(graph, root, nodes) {
  std::vector<NodeId> without_record;
  for (const NodeId id : nodes) {
    if (!depends_on_record(graph.space(id))) without_record.push_back(id);
  }
  uniform_.emplace(graph, without_record);
  place_in_packs(nodes);
  ++uses_[root];
  for (const NodeId id : nodes) {
    for (const NodeId argument : graph[id].arguments) ++uses_[argument];
    if (graph.space(id) == Space::lane) plan(id);
  }
}

std::set<std::int32_t> LaneValues::products_read_once() const {
  std::set<std::int32_t> result;
  for (const auto& [id, offset] : offsets_) {
    const Node& node = graph_[id];
    if (node.op == Op::mul && node.length == 1 && uses_.at(id) == 1) result.insert(offset);
  }
  return result;
}

std::int32_t LaneValues::allocate(std::int32_t lane_vectors) {
  const std::int32_t first = lane_numbers_;
  lane_numbers_ += lane_vectors * kLanes;
  return first;
}

// Places the parts of a pack directly inside it, so that nothing is copied.
void LaneValues::place_in_packs(std::span<const NodeId> nodes) {
  for (const NodeId id : nodes) {
    if (graph_[id].op != Op::pack || graph_.space(id) != Space::lane) continue;
    std::int32_t offset = allocate(graph_.length(id));
    offsets_[id] = offset;
    for (const NodeId part : graph_[id].arguments) {
      if (graph_.space(part) == Space::lane && graph_[part].op != Op::slice) {
        offsets_.try_emplace(part, offset);
      }
      offset += graph_.length(part) * kLanes;
    }
  }
}

void LaneValues::plan(NodeId id) {
  const Node& node = graph_[id];
  const OpClass kind = op_class(node.op);
  if (kind == OpClass::slice) return;
  if (kind == OpClass::pack) {
    plan_pack(id);
    return;
  }
  if (!offsets_.contains(id)) offsets_[id] = allocate(node.length);
  if (kind == OpClass::solve_lower) {
    plan_solve(id);
    return;
  }
  ForwardInstruction instruction;
  instruction.op = node.op;
  instruction.length = node.length;
  instruction.out = offsets_[id];
  instruction.shape = node.attributes;
  for (std::size_t i = 0; i < node.arguments.size(); ++i) {
    const bool is_index = kind == OpClass::gather && i == 1;
    instruction.arguments[i] =
        is_index ? index_operand(node.arguments[i]) : operand(node.arguments[i]);
    if (is_uniform(instruction.arguments[i])) instruction.uniform |= 1U << i;
  }
  if (kind == OpClass::gather) instruction.indices = graph_.length(node.arguments[1]);
  if (kind == OpClass::reduction || kind == OpClass::pair_reduction) {
    instruction.length = longest_argument(graph_, node);
  }
  // These operations use the space for their own work, even if no derivatives are requested.
  if (kind == OpClass::reduction && node.op != Op::sum) {
    instruction.partials[0] = allocate(instruction.length);
  }
  instruction_of_[id] = instructions_.size();
  instructions_.push_back(instruction);
}

// Multiplies b by the inverse.
void LaneValues::plan_solve(NodeId id) {
  const Node& node = graph_[id];
  ForwardInstruction instruction;
  instruction.op = Op::solve_lower;
  instruction.length = node.length;
  instruction.out = offsets_.at(id);
  for (std::size_t i = 0; i < 2; ++i) {
    instruction.arguments[i] = operand(node.arguments[i + 1]);
    if (is_uniform(instruction.arguments[i])) instruction.uniform |= 1U << i;
  }
  instructions_.push_back(instruction);
}

void LaneValues::plan_pack(NodeId id) {
  std::int32_t out = offsets_.at(id);
  for (const NodeId part : graph_[id].arguments) {
    ForwardInstruction instruction;
    instruction.op = Op::pack;
    instruction.length = graph_.length(part);
    instruction.out = out;
    instruction.arguments[0] = operand(part);
    instruction.uniform = is_uniform(instruction.arguments[0]) ? 1U : 0U;
    const auto own = offsets_.find(part);
    const bool in_place = own != offsets_.end() && own->second == out;
    if (!in_place) instructions_.push_back(instruction);
    out += instruction.length * kLanes;
  }
}

Operand LaneValues::operand(NodeId id) const {
  Operand result = place(id);
  if (graph_.length(id) == 1) result.stride = 0;
  return result;
}

Operand LaneValues::place(NodeId id) const {
  const Node& node = graph_[id];
  if (!depends_on_record(node.space)) {
    const SlotRange slots = uniform_->place(id);
    return {Source::uniform, slots.offset, slots.stride};
  }
  if (node.op == Op::slice) {
    const Operand base = place(node.arguments[0]);
    return {base.where, base.offset + node.attributes[0] * base.stride,
            node.attributes[1] * base.stride};
  }
  if (node.space == Space::data) {
    return {Source::data, columns_.first_real_column(id) * kLanes, kLanes};
  }
  return {Source::lane, offsets_.at(id), kLanes};
}

Operand LaneValues::index_operand(NodeId id) const {
  if (graph_.space(id) != Space::data) return operand(id);
  const NodeId base = unsliced(graph_, id);
  const std::int32_t column = columns_.first_index_column(base);
  if (base == id) return {Source::index, column * kLanes, kLanes};
  const Attributes& slice = graph_[id].attributes;
  return {Source::index, (column + slice[0]) * kLanes, slice[1] * kLanes};
}

Operand LaneValues::partial(NodeId id, std::size_t argument, std::int32_t length) {
  if (!depends_on_record(graph_.space(id))) {
    return {Source::uniform, uniform_->save_partials(id, static_cast<int>(argument), length), 1};
  }
  const std::size_t at = instruction_of_.at(id);
  if (instructions_[at].partials[argument] < 0) {
    instructions_[at].partials[argument] = allocate(length);
  }
  return {Source::lane, instructions_[at].partials[argument], kLanes};
}

Operand LaneValues::uniform_product(const Operand& a, const Operand& b, std::int32_t length) {
  const SlotRange slots =
      uniform_->save_products({a.offset, a.stride}, {b.offset, b.stride}, length);
  return {Source::uniform, slots.offset, slots.stride};
}

Operand LaneValues::uniform_constant(double value) {
  const SlotRange slots = uniform_->add_constant(value);
  return {Source::uniform, slots.offset, slots.stride};
}

}  // namespace dpvi
