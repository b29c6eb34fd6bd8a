#pragma once

#include <span>
#include <vector>

#include <dpvi/tape/graph.hpp>

namespace dpvi {

// What evaluating these nodes once takes: numbers read or multiplied.
std::size_t evaluation_work(const Graph& graph, std::span<const NodeId> roots);

// The nodes the roots need, the roots among them, arguments before their users.
std::vector<NodeId> reachable_from(const Graph& graph, std::span<const NodeId> roots);

// The node a slice is taken of; any other node itself. (Slices of slices are one slice.)
NodeId unsliced(const Graph& graph, NodeId id);

}  // namespace dpvi
