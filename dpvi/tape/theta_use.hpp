#pragma once

#include <vector>

#include <dpvi/tape/graph.hpp>

namespace dpvi {

// By entry of theta: whether the root is computed from it. Decided by the graph's shape alone; an
// entry that is read together with others counts as used.
std::vector<bool> theta_used(const Graph& graph, NodeId root, std::int32_t theta_size);

}  // namespace dpvi
