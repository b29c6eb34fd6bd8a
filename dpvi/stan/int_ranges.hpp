#pragma once

#include <map>
#include <optional>

#include <dpvi/tape/graph.hpp>

namespace dpvi {

// Both ends belong to it; an end that nothing tells is infinite.
struct IntRange {
  double low = 0;
  double high = 0;
};

// What values the entries of a node can take, worked out from the declared bounds of record data by
// interval arithmetic: how far a loop whose end depends on a record must run.
class IntRanges {
 public:
  explicit IntRanges(const Graph& graph) : graph_(graph) {}

  // Of one int column of the record, or of every entry of a node.
  void declare_column(std::int32_t column, IntRange range);
  void declare(NodeId node, IntRange range);
  // Empty where the declarations do not tell. Undefined entries (NaN) are left out of account.
  std::optional<IntRange> of(NodeId node);

 private:
  std::optional<IntRange> worked_out(NodeId node, int depth);
  std::optional<IntRange> of_operation(const Node& node, int depth);
  std::optional<IntRange> hull_of(const Node& node, std::size_t first, int depth);

  const Graph& graph_;
  std::map<std::int32_t, IntRange> columns_;
  std::map<NodeId, IntRange> declared_;
  std::map<NodeId, std::optional<IntRange>> known_;
};

}  // namespace dpvi
