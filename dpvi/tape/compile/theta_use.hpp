#pragma once

#include <vector>

#include <dpvi/tape/graph/graph.hpp>

namespace dpvi {

// For each entry of theta, true if the root is computed from it. Only the structure of the graph
// counts, so an entry that is read together with others counts as used.
std::vector<bool> theta_used(const Graph& graph, NodeId root, std::int32_t theta_size);

}  // namespace dpvi
