#pragma once

#include <cstdint>
#include <string>

#include <dpvi/tape/graph/graph_builder.hpp>
#include <dpvi/tape/graph/taylor_expansion.hpp>

namespace dpvi {

// Settings of the integral over the latent variables of one record. They change its accuracy and
// cost, never the guarantee.
struct MarginalSettings {
  int nodes_in_one_dimension = 15;  // of the adaptive Gauss-Hermite rule
  int nodes_in_two_dimensions = 9;  // in each dimension
  int newton_steps = 12;            // towards the mode
};

// The latent variables of a record: real columns that no table has.
struct LatentColumns {
  std::int32_t first = 0;
  std::int32_t count = 0;
};

// Replaces the joint log density log p(x, z | theta) of a record x and its latent variables z by
// log p(x | theta), the log of its integral over z. The result is an ordinary node of the graph:
// clipping, measurements and the law of outcomes treat it like the density of any other record.
//
// One and two latent variables are integrated by adaptive Gauss-Hermite quadrature around the mode
// of the joint density, scaled by the curvature there. More are integrated by Laplace's method. The
// gradient with respect to theta is the exact derivative of the value at the mode, including that
// of the mode and of the curvature.
//
// The mode is searched by a fixed number of safeguarded Newton steps, from zero. All lanes and
// records do the same work: the nodes contain no loop and no jump. If the search has not converged,
// the value is that of the rule around the last point. If it is not finite, the record contributes
// zero.
//
// Guarantee: the integral for a record reads that record and theta alone.
//
// Throws NoDerivative if the curvature needs a derivative that is not known as a formula.
NodeId marginal_record(GraphBuilder& builder, NodeId joint, const LatentColumns& latent,
                       const MarginalSettings& settings);

// The method for this number of latent variables, in words for plans and statements.
std::string marginal_method(std::int32_t latent_count, const MarginalSettings& settings);

}  // namespace dpvi
