#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include <dpvi/tape/graph/graph.hpp>

namespace dpvi {

// The node of the target that takes the place of a node of the source, or nullopt to copy it.
using NodeReplacement = std::function<std::optional<NodeId>(NodeId)>;

// Copies everything that the roots need into `target`, and returns the places of the roots there.
// Nodes of several sources that compute the same value in the same way become one node.
std::vector<NodeId> copy_graph(const Graph& source, std::span<const NodeId> roots, Graph& target,
                               const NodeReplacement& replacement = {});

}  // namespace dpvi
