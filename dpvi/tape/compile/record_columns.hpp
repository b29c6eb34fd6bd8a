#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include <dpvi/tape/reference/scalar_program.hpp>

namespace dpvi {

// The columns of a prepared record: everything that lane instructions read of a record. They hold
// values of the record and values computed from the record alone. Column i is slot
// real_columns()[i] of the data program. Columns that gathers use as indices are separate, because
// they are integers.
class RecordColumns {
 public:
  // `nodes` holds everything that the root needs, arguments before users.
  RecordColumns(const Graph& graph, NodeId root, std::span<const NodeId> nodes);

  const ScalarProgram& program() const { return *program_; }
  const std::vector<std::int32_t>& real_columns() const { return real_columns_; }
  const std::vector<std::int32_t>& index_columns() const { return index_columns_; }

  // The first column of a node. The node must not be a slice, and some lane instruction must read
  // it.
  std::int32_t first_real_column(NodeId id) const { return first_real_.at(id); }
  std::int32_t first_index_column(NodeId id) const { return first_index_.at(id); }

 private:
  void place_inputs(const Graph& graph, const std::set<NodeId>& nodes);
  std::int32_t place(const Graph& graph, NodeId id, std::vector<std::int32_t>& columns) const;

  std::optional<ScalarProgram> program_;
  std::vector<std::int32_t> real_columns_;
  std::vector<std::int32_t> index_columns_;
  std::map<NodeId, std::int32_t> first_real_;
  std::map<NodeId, std::int32_t> first_index_;
};

}  // namespace dpvi
