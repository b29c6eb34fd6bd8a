#pragma once

#include <vector>

#include <dpvi/tape/graph_builder.hpp>

namespace dpvi {

// Every entry of a value as a node of its own. One pass, where slicing a pack of many parts entry
// by entry would look through all parts each time.
std::vector<NodeId> entries_of(GraphBuilder& builder, NodeId value);

}  // namespace dpvi
