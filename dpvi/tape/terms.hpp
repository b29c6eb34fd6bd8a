#pragma once

#include <span>
#include <vector>

#include <dpvi/tape/graph_builder.hpp>

namespace dpvi {

// What is left of two sums after their common terms are struck out. A term that stands twice in
// one sum and once in the other is left once.
struct TermDifference {
  std::vector<NodeId> only_first;
  std::vector<NodeId> only_second;
};

TermDifference strike_common_terms(std::span<const NodeId> first, std::span<const NodeId> second);

// Sum of scalar terms; vectors are summed into scalars first. Nothing sums to 0. Terms made by one
// operation, as a loop leaves them, are added as one vector.
NodeId add_terms(GraphBuilder& builder, std::span<const NodeId> terms);

// first - second, where equal nodes cancel exactly and are not evaluated at all.
NodeId subtract_terms(GraphBuilder& builder, std::span<const NodeId> first,
                      std::span<const NodeId> second);

}  // namespace dpvi
