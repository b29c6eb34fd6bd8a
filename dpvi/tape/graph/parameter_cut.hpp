#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <dpvi/tape/graph/graph.hpp>

namespace dpvi {

// A smallest set of numbers, each an entry of theta or computed from theta alone, through which
// records depend on theta. In a hierarchy a = mu + tau * z these are the effects a, and neither z
// nor mu nor tau. Entries of theta come first, in increasing order.
struct ParameterCut {
  std::vector<std::int32_t> theta;
  std::vector<NodeId> nodes;

  std::size_t size(const Graph& graph) const;
};

// The cut for everything that `roots` compute from a record. `unbounded` says for each entry of
// theta whether its parameter can have any real value. A computed number belongs to the cut only if
// it is linear in such an entry, and so can have any value too. If several cuts are equally small,
// the one with more entries of theta is taken, then the one closest to theta.
ParameterCut smallest_cut(const Graph& graph, std::span<const NodeId> roots,
                          const std::vector<bool>& unbounded);

// The roots as functions of the cut and of a record: entry k of the new theta is number k of the
// cut.
struct GraphOfCut {
  std::shared_ptr<const Graph> graph;
  std::vector<NodeId> roots;
  NodeId flat;  // the constant 0
};
GraphOfCut in_cut(const Graph& graph, std::span<const NodeId> roots, const ParameterCut& cut);

}  // namespace dpvi
