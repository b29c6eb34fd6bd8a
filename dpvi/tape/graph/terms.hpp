#pragma once

#include <span>
#include <vector>

#include <dpvi/tape/graph/graph_builder.hpp>

namespace dpvi {

// The terms left of two sums after their common terms are removed. A term that occurs twice in one
// sum and once in the other is left once.
struct TermDifference {
  std::vector<NodeId> only_first;
  std::vector<NodeId> only_second;
};

TermDifference remove_common_terms(std::span<const NodeId> first, std::span<const NodeId> second);

// Sums scalar terms; vectors are first summed into scalars. An empty list sums to 0. Terms computed
// by the same operation, as a loop produces them, are added as one vector.
NodeId add_terms(GraphBuilder& builder, std::span<const NodeId> terms);

// first - second. Equal nodes cancel exactly and are not evaluated at all.
NodeId subtract_terms(GraphBuilder& builder, std::span<const NodeId> first,
                      std::span<const NodeId> second);

}  // namespace dpvi
