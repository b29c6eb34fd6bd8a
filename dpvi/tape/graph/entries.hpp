#pragma once

#include <vector>

#include <dpvi/tape/graph/graph_builder.hpp>

namespace dpvi {

// Returns every entry of a value as its own node, in one pass. Slicing a pack of many parts entry
// by entry would search all parts each time.
std::vector<NodeId> entries_of(GraphBuilder& builder, NodeId value);

// One entry of a value, computed without the others: operations entry by entry, and products of a
// matrix and a vector, are applied to that entry alone. Values of different lengths that agree in
// an entry then share its node.
NodeId entry_alone(GraphBuilder& builder, NodeId value, std::int32_t index);

}  // namespace dpvi
