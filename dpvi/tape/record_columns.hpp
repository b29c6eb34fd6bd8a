#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include <dpvi/tape/scalar_program.hpp>

namespace dpvi {

// What lane instructions read of a record, as columns of a prepared record: its own values and
// what can be computed from them alone. Column i is slot real_columns()[i] of the data program;
// columns that gathers use as indices are apart, because they are integers.
class RecordColumns {
 public:
  // `nodes` is everything the root needs, arguments before users.
  RecordColumns(const Graph& graph, NodeId root, std::span<const NodeId> nodes);

  const ScalarProgram& program() const { return *program_; }
  const std::vector<std::int32_t>& real_columns() const { return real_columns_; }
  const std::vector<std::int32_t>& index_columns() const { return index_columns_; }

  // First column of a node that is not a slice and that some lane instruction reads.
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
