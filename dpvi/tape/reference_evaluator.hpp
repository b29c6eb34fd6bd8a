#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <dpvi/tape/graph.hpp>

namespace dpvi {

// One record as the schema's columns give it.
struct RecordValues {
  std::span<const double> reals;
  std::span<const std::int32_t> ints;
};

struct ReferenceGradient {
  double value = 0.0;
  std::vector<double> gradient;  // one entry per parameter
};

// Slow, plain evaluation of any node, in double precision: the oracle that fast evaluators are
// tested against. Nodes that theta or the record is too short for are programming errors.
std::vector<double> reference_values(const Graph& graph, NodeId node, std::span<const double> theta,
                                     RecordValues record = {});

// Value of a scalar node and its derivatives, one pass of forward differentiation per parameter.
// Derivatives are all zero where the value is not finite.
ReferenceGradient reference_gradient(const Graph& graph, NodeId root, std::span<const double> theta,
                                     RecordValues record = {});

}  // namespace dpvi
