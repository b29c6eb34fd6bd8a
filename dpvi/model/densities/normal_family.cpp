#include <cmath>
#include <numbers>

#include <dpvi/model/densities/density_writer.hpp>
#include <dpvi/model/densities/families.hpp>
#include <dpvi/tape/graph/fused_densities.hpp>

namespace dpvi {
namespace {

const double kHalfLogTwoPi = 0.5 * std::log(2.0 * std::numbers::pi);

void add_normal(DensityWriter& density, Expression y, Expression mu, Expression sigma) {
  // The fused form counts only the entries of its own arguments.
  const std::int32_t n = y.builder->common_length({y.id, mu.id, sigma.id});
  if (n < density.entries()) y = repeat(y, density.entries());
  density.add_sum(y.with(normal_log_density_sum(*y.builder, y.id, mu.id, sigma.id)));
}

NodeId normal_lpdf(GraphBuilder& builder, Arguments arguments) {
  DensityWriter density(builder, arguments);
  const Expression y = density.not_nan(0);
  const Expression mu = density.location(1);
  const Expression sigma = density.positive(2);
  add_normal(density, y, mu, sigma);
  return density.result();
}

NodeId std_normal_lpdf(GraphBuilder& builder, Arguments arguments) {
  DensityWriter density(builder, arguments);
  const Expression y = density.not_nan(0);
  add_normal(density, y, y.with(0.0), y.with(1.0));
  return density.result();
}

NodeId lognormal_lpdf(GraphBuilder& builder, Arguments arguments) {
  DensityWriter density(builder, arguments);
  const Expression y = density.nonnegative(0);
  const Expression mu = density.location(1);
  const Expression sigma = density.positive_finite(2);
  density.zero_where(equal(y, 0.0));
  add_normal(density, log(y), mu, sigma);
  density.add(-log(y));
  return density.result();
}

NodeId skew_normal_lpdf(GraphBuilder& builder, Arguments arguments) {
  DensityWriter density(builder, arguments);
  const Expression y = density.not_nan(0);
  const Expression mu = density.location(1);
  const Expression sigma = density.positive(2);
  const Expression alpha = density.finite(3);
  add_normal(density, y, mu, sigma);
  density.add(std::numbers::ln2);
  density.add(log_phi(alpha * ((y - mu) / sigma)));
  return density.result();
}

// The sum of a normal variable and an exponential variable with rate lambda.
NodeId exp_mod_normal_lpdf(GraphBuilder& builder, Arguments arguments) {
  DensityWriter density(builder, arguments);
  const Expression y = density.not_nan(0);
  const Expression mu = density.location(1);
  const Expression sigma = density.positive_finite(2);
  const Expression lambda = density.positive_finite(3);
  const Expression d = (y - mu) / sigma;
  const Expression shift = lambda * sigma;
  const Expression u = d - shift;
  // Far out in the tail log_phi(u) cancels against the other terms. Its asymptotic expansion does
  // not (Abramowitz and Stegun 26.2.12).
  constexpr double kFar = -100.0;
  const Expression far = apply(Op::min, u, kFar);
  const Expression r = inv(square(far));
  const Expression expansion = log1p(r * (r * (3.0 - 15.0 * r) - 1.0)) - log(-far);
  const Expression usual = shift * (0.5 * shift - d) + log_phi(apply(Op::max, u, kFar));
  density.add(log(lambda));
  density.add(select(u < kFar, expansion - 0.5 * square(d) - kHalfLogTwoPi, usual));
  return density.result();
}

// The distribution functions are accurate in both tails. Stan's normal_lccdf is -inf beyond 8.25
// standard deviations.
template <Tail kTail>
Expression log_tail(Expression z) {
  return log_phi(kTail == Tail::lower ? z : -z);
}

template <Tail kTail>
NodeId normal_tail(GraphBuilder& builder, Arguments arguments) {
  DensityWriter density(builder, arguments);
  const Expression y = density.not_nan(0);
  const Expression mu = density.finite(1);
  const Expression sigma = density.positive(2);
  const Expression z = (y - mu) / sigma;
  // -inf over inf is NaN, and the lower tail then has probability 0, as in Stan. A known finite
  // limit needs no such check.
  const double* known = builder.constant_value(y.id);
  const bool may_be_infinite = known == nullptr || std::isinf(*known);
  if (kTail == Tail::lower && may_be_infinite) density.zero_where(is_nan(z));
  density.add(log_tail<kTail>(z));
  return density.result();
}

template <Tail kTail>
NodeId std_normal_tail(GraphBuilder& builder, Arguments arguments) {
  DensityWriter density(builder, arguments);
  density.add(log_tail<kTail>(density.not_nan(0)));
  return density.result();
}

template <Tail kTail>
NodeId lognormal_tail(GraphBuilder& builder, Arguments arguments) {
  DensityWriter density(builder, arguments);
  const Expression y = density.nonnegative(0);
  const Expression mu = density.finite(1);
  const Expression sigma = density.positive_finite(2);
  const Expression log_share = log_tail<kTail>((log(y) - mu) / sigma);
  // The whole distribution lies above 0, whatever its parameters.
  const bool upper = kTail == Tail::upper;
  density.add(upper ? select(equal(y, 0.0), density.lawful(0.0), log_share) : log_share);
  return density.result();
}

}  // namespace

void add_normal_family(FunctionRegistry& registry) {
  registry.add("normal_lpdf", normal_lpdf);
  registry.add("normal_lcdf", normal_tail<Tail::lower>);
  registry.add("normal_lccdf", normal_tail<Tail::upper>);
  registry.add("std_normal_lpdf", std_normal_lpdf);
  registry.add("std_normal_lcdf", std_normal_tail<Tail::lower>);
  registry.add("std_normal_lccdf", std_normal_tail<Tail::upper>);
  registry.add("lognormal_lpdf", lognormal_lpdf);
  registry.add("lognormal_lcdf", lognormal_tail<Tail::lower>);
  registry.add("lognormal_lccdf", lognormal_tail<Tail::upper>);
  registry.add("skew_normal_lpdf", skew_normal_lpdf);
  registry.add("exp_mod_normal_lpdf", exp_mod_normal_lpdf);
}

}  // namespace dpvi
