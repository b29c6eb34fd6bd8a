#include <dpvi/model/densities/density_writer.hpp>
#include <dpvi/model/densities/families.hpp>

namespace dpvi {
namespace {

// log of gamma(n + a) / (gamma(a) n!). Loses digits where a is beyond a million or so, by about
// 1e-16 a log(a).
Expression log_rising_coefficient(Expression n, Expression a) {
  return lgamma(n + a) - lgamma(a) - lgamma(n + 1.0);
}

NodeId poisson_lpmf(GraphBuilder& builder, Arguments arguments) {
  DensityWriter density(builder, arguments);
  const Expression n = density.nonnegative(0);
  const Expression rate = density.nonnegative(1);
  density.zero_where(equal(rate, kInfinity));
  density.add(multiply_log(n, rate));
  density.add(-rate);
  density.add(-lgamma(n + 1.0));
  return density.result();
}

NodeId poisson_log_lpmf(GraphBuilder& builder, Arguments arguments) {
  DensityWriter density(builder, arguments);
  const Expression n = density.nonnegative(0);
  const Expression eta = density.not_nan(1);
  // Stan's limit. A linear predictor that overflows in a record is left to give NaN, which costs
  // nothing.
  if (eta.space() != Space::lane) density.zero_where(equal(eta, kInfinity));
  density.add(n * eta);
  density.add(-exp(eta));
  density.add(-lgamma(n + 1.0));
  return density.result();
}

NodeId neg_binomial_lpmf(GraphBuilder& builder, Arguments arguments) {
  DensityWriter density(builder, arguments);
  const Expression n = density.nonnegative(0);
  const Expression alpha = density.positive_finite(1);
  const Expression beta = density.positive_finite(2);
  density.add(log_rising_coefficient(n, alpha));
  density.add(-(alpha * log1p(inv(beta))));
  density.add(-(n * log1p(beta)));
  return density.result();
}

NodeId neg_binomial_2_lpmf(GraphBuilder& builder, Arguments arguments) {
  DensityWriter density(builder, arguments);
  const Expression n = density.nonnegative(0);
  const Expression mu = density.positive_finite(1);
  const Expression phi = density.positive_finite(2);
  density.add(log_rising_coefficient(n, phi));
  density.add(-(phi * log1p(mu / phi)));
  density.add(n * (log(mu) - log(mu + phi)));
  return density.result();
}

NodeId neg_binomial_2_log_lpmf(GraphBuilder& builder, Arguments arguments) {
  DensityWriter density(builder, arguments);
  const Expression n = density.nonnegative(0);
  const Expression eta = density.location(1);
  const Expression phi = density.positive_finite(2);
  const Expression log_ratio = eta - log(phi);
  density.add(log_rising_coefficient(n, phi));
  density.add(n * log_ratio);
  density.add(-((n + phi) * log1p_exp(log_ratio)));
  return density.result();
}

NodeId beta_neg_binomial_lpmf(GraphBuilder& builder, Arguments arguments) {
  DensityWriter density(builder, arguments);
  const Expression n = density.nonnegative(0);
  const Expression r = density.positive_finite(1);
  const Expression alpha = density.positive_finite(2);
  const Expression beta = density.positive_finite(3);
  density.add(log_rising_coefficient(n, beta));
  density.add(log_beta(n + r, alpha + beta));
  density.add(-log_beta(r, alpha));
  return density.result();
}

// Stan counts from lower to upper, both included.
NodeId discrete_range_lpmf(GraphBuilder& builder, Arguments arguments) {
  DensityWriter density(builder, arguments);
  const Expression y = density.argument(0);
  const Expression lower = density.argument(1);
  const Expression upper = density.required(density.argument(2), lower <= density.argument(2));
  density.zero_where((y < lower) || (y > upper));
  density.add(-log(upper - lower + 1.0));
  return density.result();
}

}  // namespace

void add_count_family(FunctionRegistry& registry) {
  registry.add("poisson_lpmf", poisson_lpmf);
  registry.add("poisson_log_lpmf", poisson_log_lpmf);
  registry.add("neg_binomial_lpmf", neg_binomial_lpmf);
  registry.add("neg_binomial_2_lpmf", neg_binomial_2_lpmf);
  registry.add("neg_binomial_2_log_lpmf", neg_binomial_2_log_lpmf);
  registry.add("beta_neg_binomial_lpmf", beta_neg_binomial_lpmf);
  registry.add("discrete_range_lpmf", discrete_range_lpmf);
}

}  // namespace dpvi
