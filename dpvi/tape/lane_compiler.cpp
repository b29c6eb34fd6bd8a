#include <dpvi/tape/lane_compiler.hpp>

#include <algorithm>
#include <map>
#include <set>

#include <dpvi/base/error.hpp>
#include <dpvi/tape/adjoint_writes.hpp>
#include <dpvi/tape/reachable.hpp>

namespace dpvi {
namespace {

// Operations whose derivative is a plain function of their own value or arguments need not save
// it; all other differentiable ones do.
bool saves_partials(Op op) {
  switch (op) {
    case Op::neg:
    case Op::exp:
    case Op::add:
    case Op::sub:
    case Op::mul:
      return false;
    default:
      return !is_step(op);
  }
}

template <class T>
class LaneCompiler {
 public:
  LaneCompiler(const Graph& graph, NodeId root, std::int32_t theta_size,
               const LaneKernels<T>& kernels)
      : graph_(graph),
        root_(root),
        kernels_(kernels),
        order_(reachable_from(graph, std::span(&root, 1))),
        writes_(theta_size) {}

  CompiledTape<T> compile() {
    plan_columns();
    plan_uniform();
    for (const NodeId id : order_) {
      if (graph_.space(id) == Space::lane) plan_forward(id);
    }
    tape_.root = operand(root_);
    plan_reverse();
    tape_.zeros = writes_.zero_ranges();
    return std::move(tape_);
  }

 private:
  const Node& node(NodeId id) const { return graph_[id]; }
  bool is_active(NodeId id) const { return depends_on_theta(graph_.space(id)); }

  // --- Columns: what lane instructions read of a record.

  NodeId base_of(NodeId id) const { return node(id).op == Op::slice ? node(id).arguments[0] : id; }

  void plan_columns() {
    std::set<NodeId> real_nodes;
    std::set<NodeId> index_nodes;
    const auto need = [&](NodeId id, std::set<NodeId>& nodes) {
      if (graph_.space(id) == Space::data) nodes.insert(base_of(id));
    };
    need(root_, real_nodes);
    for (const NodeId id : order_) {
      if (graph_.space(id) != Space::lane) continue;
      const bool gathers = node(id).op == Op::gather;
      for (std::size_t i = 0; i < node(id).arguments.size(); ++i) {
        need(node(id).arguments[i], gathers && i == 1 ? index_nodes : real_nodes);
      }
    }
    std::vector<NodeId> roots(real_nodes.begin(), real_nodes.end());
    roots.insert(roots.end(), index_nodes.begin(), index_nodes.end());
    tape_.data.emplace(graph_, reachable_from(graph_, roots));
    place_input_columns(real_nodes);
    for (const NodeId id : real_nodes) {
      if (node(id).op != Op::record_real) place_columns(id, tape_.real_columns, columns_);
    }
    for (const NodeId id : index_nodes) place_columns(id, tape_.index_columns, index_columns_);
  }

  // Columns of the record itself keep their order, so that nodes over any range of them share one
  // copy.
  void place_input_columns(const std::set<NodeId>& nodes) {
    std::map<std::int32_t, std::int32_t> column_of;  // by slot of the data program
    for (const NodeId id : nodes) {
      if (node(id).op != Op::record_real) continue;
      const std::int32_t first = tape_.data->place(id).offset;
      for (std::int32_t i = 0; i < node(id).length; ++i) column_of[first + i] = 0;
    }
    for (auto& [slot, column] : column_of) {
      column = static_cast<std::int32_t>(tape_.real_columns.size());
      tape_.real_columns.push_back(slot);
    }
    for (const NodeId id : nodes) {
      if (node(id).op == Op::record_real) columns_[id] = column_of[tape_.data->place(id).offset];
    }
  }

  void place_columns(NodeId id, std::vector<std::int32_t>& columns,
                     std::map<NodeId, std::int32_t>& first_column) {
    first_column[id] = static_cast<std::int32_t>(columns.size());
    const SlotRange slots = tape_.data->place(id);
    for (std::int32_t i = 0; i < node(id).length; ++i) {
      columns.push_back(slots.offset + i * slots.stride);
    }
  }

  // --- Values.

  void plan_uniform() {
    std::vector<NodeId> nodes;
    for (const NodeId id : order_) {
      if (!depends_on_record(graph_.space(id))) nodes.push_back(id);
    }
    tape_.uniform.emplace(graph_, nodes);
  }

  std::int32_t allocate_lanes(std::int32_t count) {
    const std::int32_t first = tape_.lane_numbers;
    tape_.lane_numbers += count * kLanes;
    return first;
  }

  // Where a value is, as an operation of any length sees it: scalars repeat.
  Operand operand(NodeId id) const {
    Operand result = unrepeated_operand(id);
    if (node(id).length == 1) result.stride = 0;
    return result;
  }

  Operand unrepeated_operand(NodeId id) const {
    if (!depends_on_record(graph_.space(id))) {
      const SlotRange slots = tape_.uniform->place(id);
      return {Source::uniform, slots.offset, slots.stride};
    }
    if (node(id).op == Op::slice) {
      const Operand base = unrepeated_operand(node(id).arguments[0]);
      return {base.where, base.offset + node(id).attributes[0] * base.stride,
              node(id).attributes[1] * base.stride};
    }
    if (graph_.space(id) == Space::data) return {Source::data, columns_.at(id) * kLanes, kLanes};
    return {Source::lane, lane_offsets_.at(id), kLanes};
  }

  Operand index_operand(NodeId id) const {
    if (graph_.space(id) != Space::data) return operand(id);
    const NodeId base = base_of(id);
    Operand result{Source::index, index_columns_.at(base) * kLanes, kLanes};
    if (base != id) {
      result.offset += node(id).attributes[0] * kLanes;
      result.stride = node(id).attributes[1] * kLanes;
    }
    return result;
  }

  static bool is_uniform(const Operand& operand) { return operand.where == Source::uniform; }

  void plan_forward(NodeId id) {
    const Node& n = node(id);
    if (n.op == Op::slice) return;
    lane_offsets_[id] = allocate_lanes(n.length);
    if (n.op == Op::pack) {
      plan_pack(id);
      return;
    }
    ForwardInstruction<T> instruction;
    instruction.op = n.op;
    instruction.length = n.length;
    instruction.out = lane_offsets_[id];
    instruction.shape = n.attributes;
    unsigned uniform = 0;
    for (std::size_t i = 0; i < n.arguments.size(); ++i) {
      const bool is_index = n.op == Op::gather && i == 1;
      instruction.arguments[i] = is_index ? index_operand(n.arguments[i]) : operand(n.arguments[i]);
      if (is_uniform(instruction.arguments[i])) uniform |= 1U << i;
    }
    const OpClass kind = op_class(n.op);
    if (kind == OpClass::gather) instruction.indices = node(n.arguments[1]).length;
    if (kind == OpClass::reduction || kind == OpClass::pair_reduction) {
      instruction.length = argument_length(n);
    }
    if (kind == OpClass::reduction && n.op != Op::sum) {
      instruction.partials[0] = allocate_lanes(instruction.length);
    }
    instruction.kernel = kernels_.forward(n.op, uniform);
    instruction_of_[id] = tape_.forward.size();
    tape_.forward.push_back(instruction);
  }

  void plan_pack(NodeId id) {
    std::int32_t out = lane_offsets_[id];
    for (const NodeId part : node(id).arguments) {
      ForwardInstruction<T> instruction;
      instruction.op = Op::pack;
      instruction.length = node(part).length;
      instruction.out = out;
      instruction.arguments[0] = operand(part);
      instruction.kernel =
          kernels_.forward(Op::pack, is_uniform(instruction.arguments[0]) ? 1U : 0U);
      tape_.forward.push_back(instruction);
      out += instruction.length * kLanes;
    }
  }

  std::int32_t argument_length(const Node& n) const {
    std::int32_t length = 1;
    for (const NodeId argument : n.arguments) length = std::max(length, node(argument).length);
    return length;
  }

  // --- Adjoints.

  struct AdjointRange {
    AdjointStore store{};
    std::int32_t first = 0;  // positions, in lane vectors
    std::int32_t stride = 1;
  };

  AdjointRange adjoint(NodeId id) {
    const Node& n = node(id);
    if (n.op == Op::theta) return {AdjointStore::gradient, n.attributes[0], 1};
    if (n.op == Op::slice) {
      const AdjointRange base = adjoint(n.arguments[0]);
      return {base.store, base.first + n.attributes[0] * base.stride,
              n.attributes[1] * base.stride};
    }
    const auto [found, is_new] = adjoint_offsets_.try_emplace(id, tape_.adjoint_numbers / kLanes);
    if (is_new) tape_.adjoint_numbers += n.length * kLanes;
    return {AdjointStore::workspace, found->second, 1};
  }

  static AdjointOperand adjoint_operand(const AdjointRange& range, std::int32_t stride) {
    return {range.store, range.first * kLanes, stride * kLanes};
  }

  static std::vector<std::int32_t> positions(const AdjointRange& range, std::int32_t count) {
    std::vector<std::int32_t> result;
    for (std::int32_t i = 0; i < count; ++i) result.push_back(range.first + i * range.stride);
    return result;
  }

  void plan_reverse() {
    if (!is_active(root_)) return;
    const AdjointRange range = adjoint(root_);
    tape_.root_adjoint = adjoint_operand(range, 1);
    writes_.plan_write(range.store, positions(range, 1), false);
    live_.insert(base_of(root_));
    for (auto it = order_.rbegin(); it != order_.rend(); ++it) {
      const NodeId id = *it;
      if (!live_.contains(id) || op_class(node(id).op) == OpClass::input) continue;
      const AdjointRange own = adjoint(id);
      writes_.plan_read(own.store, positions(own, node(id).length));
      for (std::size_t i = 0; i < node(id).arguments.size(); ++i) {
        if (is_active(node(id).arguments[i])) plan_pulls(id, i);
      }
    }
  }

  // The derivative by one argument as an operand, to be saved by whoever computes the value.
  Operand partial_operand(NodeId id, int argument, std::int32_t length) {
    if (!depends_on_record(graph_.space(id))) {
      return {Source::uniform, tape_.uniform->save_partials(id, argument, length), 1};
    }
    std::int32_t& offset = tape_.forward[instruction_of_.at(id)].partials[argument];
    if (offset < 0) offset = allocate_lanes(length);
    return {Source::lane, offset, kLanes};
  }

  struct PullPlan {
    Pull pull{};
    Operand factors[2];
    std::int32_t adjoint_stride = 1;  // 0 where one adjoint serves all entries
  };

  void plan_pulls(NodeId id, std::size_t argument) {
    const Node& n = node(id);
    const auto other = [&](std::size_t i) { return operand(n.arguments[i]); };
    switch (op_class(n.op)) {
      case OpClass::unary:
      case OpClass::binary:
        if (!is_step(n.op)) plan_elementwise(id, argument);
        break;
      case OpClass::select:
        if (argument > 0) {
          emit(id, argument, n.length,
               {argument == 1 ? Pull::where : Pull::where_not, {other(0), {}}});
        }
        break;
      case OpClass::pack:
        plan_pack_pull(id, argument);
        break;
      case OpClass::gather:
        if (argument == 0) plan_scatter(id);
        break;
      case OpClass::reduction: {
        const std::int32_t length = node(n.arguments[0]).length;
        if (n.op == Op::sum) {
          emit(id, 0, length, {Pull::copy, {}, 0});
        } else {
          emit(id, 0, length, {Pull::product, {partial_operand(id, 0, length), {}}, 0});
        }
        break;
      }
      case OpClass::pair_reduction:
        if (n.op == Op::dot) {
          emit(id, argument, argument_length(n), {Pull::product, {other(1 - argument), {}}, 0});
        } else {
          emit(id, argument, argument_length(n),
               {Pull::difference, {other(argument), other(1 - argument)}, 0});
        }
        break;
      case OpClass::matmul:
        plan_matmul(id, argument);
        break;
      default:
        break;
    }
  }

  void plan_elementwise(NodeId id, std::size_t argument) {
    const Node& n = node(id);
    if (saves_partials(n.op)) {
      emit(id, argument, n.length,
           {Pull::product, {partial_operand(id, static_cast<int>(argument), n.length), {}}});
      return;
    }
    const bool negates = n.op == Op::neg || (n.op == Op::sub && argument == 1);
    if (n.op == Op::exp) {
      emit(id, 0, n.length, {Pull::product, {operand(id), {}}});
    } else if (n.op == Op::mul) {
      emit(id, argument, n.length, {Pull::product, {operand(n.arguments[1 - argument]), {}}});
    } else {
      emit(id, argument, n.length, {negates ? Pull::negate : Pull::copy, {}});
    }
  }

  // One pull of `length` entries into an argument; a scalar argument takes them all.
  void emit(NodeId id, std::size_t argument, std::int32_t length, const PullPlan& plan) {
    const NodeId target_id = node(id).arguments[argument];
    AdjointRange target = adjoint(target_id);
    const bool repeated = node(target_id).length == 1 && length > 1;
    if (repeated) target.stride = 0;
    PullInstruction<T> pull = new_pull(id, target_id, length);
    pull.adjoint.stride = plan.adjoint_stride * kLanes;
    pull.target = adjoint_operand(target, length == 1 ? 1 : target.stride);
    unsigned uniform = 0;
    for (unsigned i = 0; i < 2; ++i) {
      pull.factors[i] = plan.factors[i];
      if (is_uniform(plan.factors[i])) uniform |= 1U << i;
    }
    finish_pull(pull, positions(target, target.stride == 0 ? 1 : length), false, uniform,
                plan.pull);
  }

  PullInstruction<T> new_pull(NodeId id, NodeId target, std::int32_t length) {
    live_.insert(base_of(target));
    PullInstruction<T> pull;
    pull.length = length;
    pull.adjoint = adjoint_operand(adjoint(id), 1);
    pull.shape = node(id).attributes;
    return pull;
  }

  void finish_pull(PullInstruction<T>& pull, const std::vector<std::int32_t>& targets,
                   bool always_adds, unsigned uniform, Pull kind) {
    pull.accumulate = writes_.plan_write(pull.target.where, targets, always_adds);
    pull.kernel = kernels_.pull(kind, uniform);
    tape_.pulls.push_back(pull);
  }

  void plan_pack_pull(NodeId id, std::size_t argument) {
    const Node& n = node(id);
    std::int32_t first = 0;
    for (std::size_t i = 0; i < argument; ++i) first += node(n.arguments[i]).length;
    emit(id, argument, node(n.arguments[argument]).length, {Pull::copy, {}});
    tape_.pulls.back().adjoint.offset += first * kLanes;
  }

  void plan_scatter(NodeId id) {
    const Node& n = node(id);
    const AdjointRange target = adjoint(n.arguments[0]);
    const auto [extent, index_stride, block, stride, offset] = n.attributes;
    std::vector<std::int32_t> targets;
    for (std::int32_t index = 0; index < extent; ++index) {
      for (std::int32_t k = 0; k < block; ++k) {
        targets.push_back(target.first +
                          (offset + index * index_stride + k * stride) * target.stride);
      }
    }
    PullInstruction<T> pull = new_pull(id, n.arguments[0], n.length);
    pull.indices = node(n.arguments[1]).length;
    pull.factors[0] = index_operand(n.arguments[1]);
    pull.target = adjoint_operand(target, target.stride);
    finish_pull(pull, targets, true, 0, Pull::scatter);
  }

  void plan_matmul(NodeId id, std::size_t argument) {
    const Node& n = node(id);
    const Pull kind = argument == 0 ? Pull::matmul_first : Pull::matmul_second;
    const AdjointRange target = adjoint(n.arguments[argument]);
    const auto [rows, inner, columns, row_stride, column_stride] = n.attributes;
    std::vector<std::int32_t> targets;
    if (argument == 0) {
      for (std::int32_t row = 0; row < rows; ++row) {
        for (std::int32_t k = 0; k < inner; ++k) {
          targets.push_back(target.first + (row * row_stride + k * column_stride) * target.stride);
        }
      }
    } else {
      targets = positions(target, inner * columns);
    }
    // Entries that the strides show twice must add up.
    const std::set<std::int32_t> distinct(targets.begin(), targets.end());
    PullInstruction<T> pull = new_pull(id, n.arguments[argument], n.length);
    pull.factors[0] = operand(n.arguments[1 - argument]);
    pull.target = adjoint_operand(target, target.stride);
    finish_pull(pull, targets, distinct.size() < targets.size(),
                is_uniform(pull.factors[0]) ? 1U : 0U, kind);
  }

  const Graph& graph_;
  NodeId root_;
  const LaneKernels<T>& kernels_;
  std::vector<NodeId> order_;
  AdjointWrites writes_;
  CompiledTape<T> tape_;
  std::map<NodeId, std::int32_t> columns_;        // first real column of a data node
  std::map<NodeId, std::int32_t> index_columns_;  // first index column of a data node
  std::map<NodeId, std::int32_t> lane_offsets_;
  std::map<NodeId, std::size_t> instruction_of_;
  std::map<NodeId, std::int32_t> adjoint_offsets_;  // in lane vectors
  std::set<NodeId> live_;                           // nodes whose adjoint someone writes
};

}  // namespace

template <class T>
CompiledTape<T> compile_tape(const Graph& graph, NodeId root, std::int32_t theta_size,
                             const LaneKernels<T>& kernels) {
  if (graph.length(root) != 1) {
    throw InternalError(kInternal, "A tape's root must be a scalar.", "Report this.");
  }
  return LaneCompiler<T>(graph, root, theta_size, kernels).compile();
}

template CompiledTape<double> compile_tape(const Graph&, NodeId, std::int32_t,
                                           const LaneKernels<double>&);

}  // namespace dpvi
