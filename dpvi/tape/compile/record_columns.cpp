#include <dpvi/tape/compile/record_columns.hpp>

#include <dpvi/tape/graph/reachable.hpp>

namespace dpvi {

RecordColumns::RecordColumns(const Graph& graph, NodeId root, std::span<const NodeId> nodes) {
  std::set<NodeId> reals;
  std::set<NodeId> indices;
  const auto need = [&](NodeId id, std::set<NodeId>& needed) {
    if (graph.space(id) == Space::data) needed.insert(unsliced(graph, id));
  };
  need(root, reals);
  for (const NodeId id : nodes) {
    if (graph.space(id) != Space::lane) continue;
    const Node& node = graph[id];
    for (std::size_t i = 0; i < node.arguments.size(); ++i) {
      need(node.arguments[i], node.op == Op::gather && i == 1 ? indices : reals);
    }
  }
  std::vector<NodeId> roots(reals.begin(), reals.end());
  roots.insert(roots.end(), indices.begin(), indices.end());
  program_.emplace(graph, reachable_from(graph, roots));
  place_inputs(graph, reals);
  for (const NodeId id : reals) {
    if (graph[id].op != Op::record_real) first_real_[id] = place(graph, id, real_columns_);
  }
  for (const NodeId id : indices) first_index_[id] = place(graph, id, index_columns_);
}

// The record's own columns keep their order, so that nodes over any ranges of them share one copy.
void RecordColumns::place_inputs(const Graph& graph, const std::set<NodeId>& nodes) {
  std::map<std::int32_t, std::int32_t> column_of_slot;
  for (const NodeId id : nodes) {
    if (graph[id].op != Op::record_real) continue;
    const std::int32_t first = program_->place(id).offset;
    for (std::int32_t i = 0; i < graph.length(id); ++i) column_of_slot[first + i] = 0;
  }
  for (auto& [slot, column] : column_of_slot) {
    column = static_cast<std::int32_t>(real_columns_.size());
    real_columns_.push_back(slot);
  }
  for (const NodeId id : nodes) {
    if (graph[id].op != Op::record_real) continue;
    first_real_[id] = column_of_slot[program_->place(id).offset];
  }
}

std::int32_t RecordColumns::place(const Graph& graph, NodeId id,
                                  std::vector<std::int32_t>& columns) const {
  const auto first = static_cast<std::int32_t>(columns.size());
  const SlotRange slots = program_->place(id);
  for (std::int32_t i = 0; i < graph.length(id); ++i) {
    columns.push_back(slots.offset + i * slots.stride);
  }
  return first;
}

}  // namespace dpvi
