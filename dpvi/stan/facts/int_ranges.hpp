#pragma once

#include <map>
#include <optional>

#include <dpvi/tape/graph/graph.hpp>

namespace dpvi {

// A closed range of ints; an end without a known bound is infinite.
struct IntRange {
  double low = 0;
  double high = 0;
};

// Bounds the values that the entries of a node can take, by interval arithmetic on the declared
// bounds of record data. Determines, for example, how many iterations a loop needs whose bound
// depends on a record.
class IntRanges {
 public:
  explicit IntRanges(const Graph& graph) : graph_(graph) {}

  // Declares the range of one int column of the record, or of every entry of a node.
  void declare_column(std::int32_t column, IntRange range);
  void declare(NodeId node, IntRange range);
  // The range of all entries of a node, or nullopt if the declarations do not determine one.
  // Undefined entries (NaN) are ignored.
  std::optional<IntRange> of(NodeId node);

 private:
  std::optional<IntRange> worked_out(NodeId node, int depth);
  std::optional<IntRange> of_columns(const Node& node) const;
  std::optional<IntRange> of_operation(const Node& node, int depth);
  std::optional<IntRange> hull_of(const Node& node, std::size_t first, int depth);

  const Graph& graph_;
  std::map<std::int32_t, IntRange> columns_;
  std::map<NodeId, IntRange> declared_;
  std::map<NodeId, std::optional<IntRange>> known_;
};

}  // namespace dpvi
