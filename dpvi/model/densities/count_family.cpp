#include <dpvi/model/densities/density_writer.hpp>
#include <dpvi/model/densities/families.hpp>

namespace dpvi {
namespace {

// log gamma(a) minus Stirling's formula, for a above kStirling.
Expression stirling_correction(Expression a) {
  const Expression r = inv(a);
  return r * (1.0 / 12.0 - square(r) / 360.0);
}

// log of gamma(a + n) / gamma(a). For large a the two log gammas nearly cancel, so the difference
// is taken of Stirling's formula, with a relative error near 1e-16. If a depends on parameters
// alone and n on the record, that would cost lane work and is not done. The result then loses
// digits for a beyond about a million, by about 1e-16 a log(a).
Expression log_rising_power(Expression a, Expression n) {
  const bool spends_lanes = a.space() == Space::uniform && depends_on_record(n.space());
  if (spends_lanes) return lgamma(a + n) - lgamma(a);
  constexpr double kStirling = 1e3;
  const Expression large = apply(Op::max, a, kStirling);
  const Expression small = apply(Op::min, a, kStirling);
  const Expression difference = (large + n - 0.5) * log1p(n / large) + n * (log(large) - 1.0) +
                                (stirling_correction(large + n) - stirling_correction(large));
  return select(a < kStirling, lgamma(small + n) - lgamma(small), difference);
}

// Log of gamma(n + a) / (gamma(a) n!).
Expression log_rising_coefficient(Expression n, Expression a) {
  return log_rising_power(a, n) - lgamma(n + 1.0);
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
  // Stan returns this limit. If a lane's linear predictor overflows, the result is NaN, which costs
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
  density.add(lgamma(n + r) - log_rising_power(alpha + beta, n + r));
  density.add(-log_beta(r, alpha));
  return density.result();
}

// Counts start at 1.
NodeId yule_simon_lpmf(GraphBuilder& builder, Arguments arguments) {
  DensityWriter density(builder, arguments);
  const Expression given = density.argument(0);
  const Expression n = density.required(given, given >= 1.0);
  const Expression alpha = density.positive_finite(1);
  density.add(log(alpha) + lgamma(alpha + 1.0));
  density.add(lgamma(n) - lgamma(n + alpha + 1.0));
  return density.result();
}

// The range includes lower and upper, as in Stan.
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
  registry.add("yule_simon_lpmf", yule_simon_lpmf);
  registry.add("discrete_range_lpmf", discrete_range_lpmf);
}

}  // namespace dpvi
