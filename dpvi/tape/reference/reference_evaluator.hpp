#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <dpvi/tape/graph/graph.hpp>

namespace dpvi {

// One record, with the values of the schema's columns.
struct RecordValues {
  std::span<const double> reals;
  std::span<const std::int32_t> ints;
};

struct ReferenceGradient {
  double value = 0.0;
  std::vector<double> gradient;  // one entry per parameter
};

// Slow, plain evaluation of any node in double precision: the oracle against which fast evaluators
// are tested. It is a programming error if theta or the record is too short for the node.
std::vector<double> reference_values(const Graph& graph, NodeId node, std::span<const double> theta,
                                     RecordValues record = {});

// The value and gradient of a scalar node, by one pass of forward-mode differentiation per
// parameter. All derivatives are zero if the value is not finite.
ReferenceGradient reference_gradient(const Graph& graph, NodeId root, std::span<const double> theta,
                                     RecordValues record = {});

}  // namespace dpvi
