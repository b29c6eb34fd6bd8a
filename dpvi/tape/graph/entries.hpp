#pragma once

#include <vector>

#include <dpvi/tape/graph/graph_builder.hpp>

namespace dpvi {

// Returns every entry of a value as its own node, in one pass. Slicing a pack of many parts entry
// by entry would search all parts each time.
std::vector<NodeId> entries_of(GraphBuilder& builder, NodeId value);

}  // namespace dpvi
