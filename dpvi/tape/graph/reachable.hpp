#pragma once

#include <span>
#include <vector>

#include <dpvi/tape/graph/graph.hpp>

namespace dpvi {

// The work of evaluating these nodes once, counted in numbers read or multiplied.
std::size_t evaluation_work(const Graph& graph, std::span<const NodeId> roots);

// The nodes that the roots need, including the roots, with arguments before their users.
std::vector<NodeId> reachable_from(const Graph& graph, std::span<const NodeId> roots);

// The node that a slice is taken from, or the node itself if it is not a slice. (Slices of slices
// are one slice.)
NodeId unsliced(const Graph& graph, NodeId id);

}  // namespace dpvi
