#include <cmath>
#include <numbers>

#include <dpvi/model/densities/density_writer.hpp>
#include <dpvi/model/densities/families.hpp>

// Distributions on the real line with a location and a scale.
namespace dpvi {
namespace {

NodeId student_t_lpdf(GraphBuilder& builder, Arguments arguments) {
  DensityWriter density(builder, arguments);
  const Expression y = density.not_nan(0);
  const Expression nu = density.positive_finite(1);
  const Expression mu = density.location(2);
  const Expression sigma = density.positive_finite(3);
  const Expression half = 0.5 * (nu + 1.0);
  density.add(lgamma(half) - lgamma(0.5 * nu) - 0.5 * log(nu));
  density.add(-0.5 * std::log(std::numbers::pi));
  density.add(-log(sigma));
  density.add(-(half * log1p(square((y - mu) / (sigma * sqrt(nu))))));
  return density.result();
}

NodeId cauchy_lpdf(GraphBuilder& builder, Arguments arguments) {
  DensityWriter density(builder, arguments);
  const Expression y = density.not_nan(0);
  const Expression mu = density.location(1);
  const Expression sigma = density.positive_finite(2);
  density.add(-std::log(std::numbers::pi));
  density.add(-log(sigma));
  density.add(-log1p(square((y - mu) / sigma)));
  return density.result();
}

template <Tail kTail>
NodeId cauchy_tail(GraphBuilder& builder, Arguments arguments) {
  DensityWriter density(builder, arguments);
  const Expression y = density.not_nan(0);
  const Expression mu = density.finite(1);
  const Expression sigma = density.positive_finite(2);
  const Expression z = (y - mu) / sigma;
  // atan2 keeps the digits that atan(z) + pi / 2 loses far out in the tail.
  const Expression angle = apply(Op::atan2, 1.0, kTail == Tail::lower ? -z : z);
  density.add(log(angle / std::numbers::pi));
  return density.result();
}

NodeId double_exponential_lpdf(GraphBuilder& builder, Arguments arguments) {
  DensityWriter density(builder, arguments);
  const Expression y = density.finite(0);
  const Expression mu = density.location(1);
  const Expression sigma = density.positive_finite(2);
  density.add(-std::numbers::ln2);
  density.add(-log(sigma));
  density.add(-(fabs(y - mu) / sigma));
  return density.result();
}

template <Tail kTail>
NodeId double_exponential_tail(GraphBuilder& builder, Arguments arguments) {
  DensityWriter density(builder, arguments);
  const Expression y = density.not_nan(0);
  const Expression mu = density.finite(1);
  const Expression sigma = density.positive_finite(2);
  const Expression distance = (y - mu) / sigma;
  const Expression z = kTail == Tail::lower ? distance : -distance;
  density.add(select(z < 0.0, z - std::numbers::ln2, log1m(0.5 * exp(-z))));
  return density.result();
}

NodeId skew_double_exponential_lpdf(GraphBuilder& builder, Arguments arguments) {
  DensityWriter density(builder, arguments);
  const Expression y = density.not_nan(0);
  const Expression mu = density.location(1);
  const Expression sigma = density.positive_finite(2);
  const Expression tau = density.between(3, 0.0, 1.0);
  density.add(std::numbers::ln2);
  density.add(-log(sigma));
  density.add(log(tau) + log1m(tau));
  const Expression distance = y - mu;
  const Expression weight = select(distance < 0.0, 1.0 - tau, tau);
  density.add(-2.0 * (weight * (fabs(distance) / sigma)));
  return density.result();
}

NodeId logistic_lpdf(GraphBuilder& builder, Arguments arguments) {
  DensityWriter density(builder, arguments);
  const Expression y = density.finite(0);
  const Expression mu = density.location(1);
  const Expression sigma = density.positive_finite(2);
  const Expression z = (y - mu) / sigma;
  density.add(-log(sigma));
  density.add(-z - 2.0 * log1p_exp(-z));
  return density.result();
}

template <Tail kTail>
NodeId logistic_tail(GraphBuilder& builder, Arguments arguments) {
  DensityWriter density(builder, arguments);
  const Expression y = density.not_nan(0);
  const Expression mu = density.finite(1);
  const Expression sigma = density.positive_finite(2);
  const Expression z = (y - mu) / sigma;
  density.add(log_inv_logit(kTail == Tail::lower ? z : -z));
  return density.result();
}

NodeId gumbel_lpdf(GraphBuilder& builder, Arguments arguments) {
  DensityWriter density(builder, arguments);
  const Expression y = density.not_nan(0);
  const Expression mu = density.location(1);
  const Expression beta = density.positive(2);
  const Expression z = (y - mu) / beta;
  density.add(-log(beta));
  density.add(-z - exp(-z));
  return density.result();
}

template <Tail kTail>
NodeId gumbel_tail(GraphBuilder& builder, Arguments arguments) {
  DensityWriter density(builder, arguments);
  const Expression y = density.not_nan(0);
  const Expression mu = density.finite(1);
  const Expression beta = density.positive(2);
  const Expression log_lower = -exp((mu - y) / beta);
  density.add(kTail == Tail::lower ? log_lower : log_complement(log_lower));
  return density.result();
}

}  // namespace

void add_location_scale_family(FunctionRegistry& registry) {
  registry.add("student_t_lpdf", student_t_lpdf);
  registry.add("cauchy_lpdf", cauchy_lpdf);
  registry.add("cauchy_lcdf", cauchy_tail<Tail::lower>);
  registry.add("cauchy_lccdf", cauchy_tail<Tail::upper>);
  registry.add("double_exponential_lpdf", double_exponential_lpdf);
  registry.add("double_exponential_lcdf", double_exponential_tail<Tail::lower>);
  registry.add("double_exponential_lccdf", double_exponential_tail<Tail::upper>);
  registry.add("skew_double_exponential_lpdf", skew_double_exponential_lpdf);
  registry.add("logistic_lpdf", logistic_lpdf);
  registry.add("logistic_lcdf", logistic_tail<Tail::lower>);
  registry.add("logistic_lccdf", logistic_tail<Tail::upper>);
  registry.add("gumbel_lpdf", gumbel_lpdf);
  registry.add("gumbel_lcdf", gumbel_tail<Tail::lower>);
  registry.add("gumbel_lccdf", gumbel_tail<Tail::upper>);
}

}  // namespace dpvi
