#pragma once

#include <dpvi/tape/graph/graph_builder.hpp>

namespace dpvi {

// Summed log densities in the form that the lane kernels evaluate fastest. Arguments are vectors of
// one length or scalars; the result is a scalar. Nothing is checked: if sigma is not positive, the
// result is NaN or infinite.

// Sum of log normal(y | mu, sigma), including all constants. A scalar sigma takes one pass over y.
// The squares are then summed before they are scaled, so residuals beyond 1e154 overflow.
NodeId normal_log_density_sum(GraphBuilder& builder, NodeId y, NodeId mu, NodeId sigma);

// Sum of log bernoulli(y | inv_logit(eta)); y is 0 or 1.
NodeId bernoulli_logit_log_density_sum(GraphBuilder& builder, NodeId y, NodeId eta);

}  // namespace dpvi
