#include <cmath>
#include <numbers>

#include <dpvi/model/densities/density_writer.hpp>
#include <dpvi/model/densities/families.hpp>

// Distributions on an interval or on the circle.
namespace dpvi {
namespace {

void add_beta(DensityWriter& density, Expression y, Expression alpha, Expression beta) {
  density.add(-log_beta(alpha, beta));
  density.add((alpha - 1.0) * log(y));
  density.add((beta - 1.0) * log1m(y));
}

NodeId beta_lpdf(GraphBuilder& builder, Arguments arguments) {
  DensityWriter density(builder, arguments);
  const Expression y = density.between(0, 0.0, 1.0);
  add_beta(density, y, density.positive_finite(1), density.positive_finite(2));
  return density.result();
}

NodeId beta_proportion_lpdf(GraphBuilder& builder, Arguments arguments) {
  DensityWriter density(builder, arguments);
  const Expression y = density.between(0, 0.0, 1.0);
  const Expression given_mu = density.argument(1);
  const Expression mu = density.required(given_mu, (given_mu > 0.0) && (given_mu < 1.0));
  const Expression kappa = density.positive_finite(2);
  add_beta(density, y, mu * kappa, (1.0 - mu) * kappa);
  return density.result();
}

struct Interval {
  Expression lower;
  Expression upper;
};

Interval interval_of(DensityWriter& density) {
  const Expression lower = density.finite(1);
  const Expression upper = density.finite(2);
  return {lower, density.required(upper, lower < upper)};
}

NodeId uniform_lpdf(GraphBuilder& builder, Arguments arguments) {
  DensityWriter density(builder, arguments);
  const Expression y = density.not_nan(0);
  const auto [lower, upper] = interval_of(density);
  density.zero_where((y < lower) || (y > upper));
  // No other term propagates a y that is NaN.
  density.add(where(not_nan(y), -log(upper - lower)));
  return density.result();
}

NodeId uniform_lcdf(GraphBuilder& builder, Arguments arguments) {
  DensityWriter density(builder, arguments);
  const Expression y = density.not_nan(0);
  const auto [lower, upper] = interval_of(density);
  density.zero_where((y < lower) || (y > upper));
  density.add(log(y - lower) - log(upper - lower));
  return density.result();
}

// As in Stan, the result is 0 on both sides of the interval.
NodeId uniform_lccdf(GraphBuilder& builder, Arguments arguments) {
  DensityWriter density(builder, arguments);
  const Expression y = density.not_nan(0);
  const auto [lower, upper] = interval_of(density);
  const Expression outside = (y < lower) || (y > upper);
  const Expression log_upper = log(upper - y) - log(upper - lower);
  density.add(select(any(outside), density.lawful(0.0), log_upper));
  return density.result();
}

// y must be finite but need not lie in [-pi, pi].
NodeId von_mises_lpdf(GraphBuilder& builder, Arguments arguments) {
  DensityWriter density(builder, arguments);
  const Expression y = density.finite(0);
  const Expression mu = density.location(1);
  const Expression given_kappa = density.argument(2);
  const Expression kappa =
      density.required(given_kappa, nonnegative(given_kappa) && finite(given_kappa));
  density.add(-std::log(2.0 * std::numbers::pi));
  density.add(-log_bessel_i0(kappa));
  density.add(kappa * cos(mu - y));
  return density.result();
}

Expression wrapped(Expression angle) {
  const double turn = 2.0 * std::numbers::pi;
  const Expression from_start = angle + std::numbers::pi;
  return from_start - turn * apply(Op::floor, from_start / turn) - std::numbers::pi;
}

// Log of the probability from -pi to y, or of its complement. As in Stan, the circle is cut at -pi,
// whatever mu is.
template <Tail kTail>
NodeId von_mises_tail(GraphBuilder& builder, Arguments arguments) {
  DensityWriter density(builder, arguments);
  const Expression y = density.between(0, -std::numbers::pi, std::numbers::pi);
  const Expression mu = wrapped(density.finite(1));
  const Expression kappa = density.positive(2);
  const Expression start = equal(y, -std::numbers::pi);
  const Expression end = equal(y, std::numbers::pi);
  density.zero_where(kTail == Tail::lower ? start : end);
  const Expression negative = mu < 0.0;
  const Expression half_turn = select(negative, -std::numbers::pi, std::numbers::pi);
  const Expression to_y = apply(Op::von_mises_cdf, wrapped(y - mu), kappa);
  const Expression to_start = apply(Op::von_mises_cdf, half_turn - mu, kappa);
  const Expression share = to_y - to_start + select(y <= mu - half_turn, 0.0, 1.0);
  const Expression inside = select(share < 0.0, 0.0, share);
  const Expression certain = kTail == Tail::lower ? end : start;
  density.add(
      select(certain, density.lawful(0.0), kTail == Tail::lower ? log(inside) : log1m(inside)));
  return density.result();
}

}  // namespace

void add_bounded_family(FunctionRegistry& registry) {
  registry.add("beta_lpdf", beta_lpdf);
  registry.add("beta_proportion_lpdf", beta_proportion_lpdf);
  registry.add("uniform_lpdf", uniform_lpdf);
  registry.add("uniform_lcdf", uniform_lcdf);
  registry.add("uniform_lccdf", uniform_lccdf);
  registry.add("von_mises_lpdf", von_mises_lpdf);
  registry.add("von_mises_lcdf", von_mises_tail<Tail::lower>);
  registry.add("von_mises_lccdf", von_mises_tail<Tail::upper>);
}

}  // namespace dpvi
