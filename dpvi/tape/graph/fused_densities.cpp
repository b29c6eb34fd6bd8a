#include <dpvi/tape/graph/fused_densities.hpp>

#include <cmath>
#include <numbers>

namespace dpvi {

NodeId normal_log_density_sum(GraphBuilder& builder, NodeId y, NodeId mu, NodeId sigma) {
  GraphBuilder& g = builder;
  const std::int32_t n = g.common_length({y, mu, sigma});
  if (n == 0) return g.constant(0.0);
  const NodeId half = g.constant(0.5);
  NodeId quadratic;
  NodeId log_scale;
  if (g.length(sigma) == 1) {
    quadratic = g.mul(g.squared_distance(y, mu), g.inv(g.square(sigma)));
    log_scale = g.mul(g.constant(n), g.log(sigma));
  } else {
    quadratic = g.sum(g.square(g.div(g.sub(y, mu), sigma)));
    log_scale = g.sum(g.log(sigma));
  }
  const NodeId constant = g.constant(-0.5 * n * std::log(2.0 * std::numbers::pi));
  return g.sub(g.sub(constant, log_scale), g.mul(half, quadratic));
}

NodeId bernoulli_logit_log_density_sum(GraphBuilder& builder, NodeId y, NodeId eta) {
  GraphBuilder& g = builder;
  const NodeId sign = g.sub(g.mul(g.constant(2.0), y), g.constant(1.0));
  return g.sum(g.unary(Op::log_inv_logit, g.mul(sign, eta)));
}

}  // namespace dpvi
