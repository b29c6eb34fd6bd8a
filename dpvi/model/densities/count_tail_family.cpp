#include <dpvi/model/densities/density_writer.hpp>
#include <dpvi/model/densities/tail_parts.hpp>

// Distribution functions of counts.
namespace dpvi {
namespace {

// The lower tail at a negative count has probability 0.
void cut_counts(DensityWriter& density, Tail tail, Expression n) {
  if (tail == Tail::lower) density.zero_where(n < 0.0);
}

// The upper tail at a negative count has probability 1.
template <Tail kTail>
Expression at_count(DensityWriter& density, Expression n, Expression log_share) {
  return kTail == Tail::lower ? log_share : select(n < 0.0, density.lawful(0.0), log_share);
}

// Clamps negative counts to 0 for functions that are undefined below 0.
Expression as_count(Expression n) { return apply(Op::max, n, 0.0); }

template <Tail kTail>
NodeId poisson_tail(GraphBuilder& builder, Arguments arguments) {
  DensityWriter density(builder, arguments);
  const Expression n = density.argument(0);
  const Expression rate = density.nonnegative(1);
  cut_counts(density, kTail, n);
  const Expression share = log_gamma_tail<opposite(kTail)>(as_count(n) + 1.0, rate);
  density.add(at_count<kTail>(density, n, share));
  return density.result();
}

// P(Y <= n) is I_x(shape, n + 1), where x is the success probability.
template <Tail kTail>
NodeId negative_binomial_tail(DensityWriter& density, Expression shape, Expression success,
                              Expression failure) {
  const Expression n = density.argument(0);
  cut_counts(density, kTail, n);
  const Expression share = log_beta_tail<kTail>(shape, as_count(n) + 1.0, success, failure);
  density.add(at_count<kTail>(density, n, share));
  return density.result();
}

template <Tail kTail>
NodeId neg_binomial_tail(GraphBuilder& builder, Arguments arguments) {
  DensityWriter density(builder, arguments);
  const Expression alpha = density.positive_finite(1);
  const Expression beta = density.positive_finite(2);
  const Expression failure = inv(1.0 + beta);
  return negative_binomial_tail<kTail>(density, alpha, beta * failure, failure);
}

template <Tail kTail>
NodeId neg_binomial_2_tail(GraphBuilder& builder, Arguments arguments) {
  DensityWriter density(builder, arguments);
  const Expression mu = density.positive_finite(1);
  const Expression phi = density.positive_finite(2);
  const Expression total = mu + phi;
  return negative_binomial_tail<kTail>(density, phi, phi / total, mu / total);
}

// A tail of the number of successes n in `trials` trials. `log_share` covers n from 0 to trials -
// 1. From n = trials on, the lower tail has probability 1.
template <Tail kTail, class LogCdf>
NodeId trials_tail(DensityWriter& density, Expression trials, const LogCdf& log_share) {
  const Expression n = density.argument(0);
  const Expression all = n >= trials;
  cut_counts(density, kTail, n);
  if (kTail == Tail::upper) density.zero_where(all);
  const Expression share = log_share(as_count(n));
  density.add(kTail == Tail::lower ? select(all, density.lawful(0.0), share)
                                   : at_count<kTail>(density, n, share));
  return density.result();
}

// P(Y <= n) is I_(1 - p)(N - n, n + 1).
template <Tail kTail>
NodeId binomial_tail(GraphBuilder& builder, Arguments arguments) {
  DensityWriter density(builder, arguments);
  const Expression trials = density.nonnegative(1);
  const Expression p = density.between(2, 0.0, 1.0);
  return trials_tail<kTail>(density, trials, [&](Expression n) {
    const Expression left = apply(Op::max, trials - n, 1.0);
    return log_beta_tail<kTail>(left, n + 1.0, 1.0 - p, p);
  });
}

// More than n successes means fewer than trials - n failures.
template <Tail kTail>
NodeId beta_binomial_tail(GraphBuilder& builder, Arguments arguments) {
  DensityWriter density(builder, arguments);
  const Expression given = density.nonnegative(1);
  const Expression alpha = density.positive_finite(2);
  const Expression beta = density.positive_finite(3);
  return trials_tail<kTail>(density, given, [&](Expression n) {
    const Expression trials = apply(Op::max, given, n + 1.0);
    const Expression failures = trials - n - 1.0;
    const bool lower = kTail == Tail::lower;
    return n.with(builder.several(Op::log_beta_binomial_cdf,
                                  {lower ? n.id : failures.id, trials.id,
                                   lower ? alpha.id : beta.id, lower ? beta.id : alpha.id}));
  });
}

// The upper tail loses digits where it is small, but it decays slowly: like a power of n.
template <Tail kTail>
NodeId beta_neg_binomial_tail(GraphBuilder& builder, Arguments arguments) {
  DensityWriter density(builder, arguments);
  const Expression n = density.argument(0);
  const Expression r = density.positive_finite(1);
  const Expression alpha = density.positive_finite(2);
  const Expression beta = density.positive_finite(3);
  cut_counts(density, kTail, n);
  const Expression below = n.with(
      builder.several(Op::log_beta_neg_binomial_cdf, {as_count(n).id, r.id, alpha.id, beta.id}));
  density.add(at_count<kTail>(density, n, kTail == Tail::lower ? below : log_complement(below)));
  return density.result();
}

// P(Y > n) is n B(n, alpha + 1). Counts start at 1.
template <Tail kTail>
NodeId yule_simon_tail(GraphBuilder& builder, Arguments arguments) {
  DensityWriter density(builder, arguments);
  const Expression n = density.argument(0);
  const Expression alpha = density.positive_finite(1);
  cut_counts(density, kTail, n - 1.0);
  const Expression count = apply(Op::max, n, 1.0);
  const Expression above = lgamma(alpha + 1.0) + lgamma(count + 1.0) - lgamma(count + alpha + 1.0);
  density.add(
      at_count<kTail>(density, n - 1.0, kTail == Tail::lower ? log_complement(above) : above));
  return density.result();
}

template <Tail kTail>
NodeId discrete_range_tail(GraphBuilder& builder, Arguments arguments) {
  DensityWriter density(builder, arguments);
  const Expression y = density.argument(0);
  const Expression lower = density.argument(1);
  const Expression upper = density.required(density.argument(2), lower <= density.argument(2));
  density.zero_where(kTail == Tail::lower ? y < lower : y >= upper);
  const Expression inside = apply(Op::min, apply(Op::max, y, lower - 1.0), upper);
  const Expression count = kTail == Tail::lower ? inside - lower + 1.0 : upper - inside;
  density.add(log(count) - log(upper - lower + 1.0));
  return density.result();
}

}  // namespace

void add_count_tail_family(FunctionRegistry& registry) {
  constexpr Tail kLower = Tail::lower;
  constexpr Tail kUpper = Tail::upper;
  add_both(registry, "poisson", poisson_tail<kLower>, poisson_tail<kUpper>);
  add_both(registry, "neg_binomial", neg_binomial_tail<kLower>, neg_binomial_tail<kUpper>);
  add_both(registry, "neg_binomial_2", neg_binomial_2_tail<kLower>, neg_binomial_2_tail<kUpper>);
  add_both(registry, "binomial", binomial_tail<kLower>, binomial_tail<kUpper>);
  add_both(registry, "beta_binomial", beta_binomial_tail<kLower>, beta_binomial_tail<kUpper>);
  add_both(registry, "beta_neg_binomial", beta_neg_binomial_tail<kLower>,
           beta_neg_binomial_tail<kUpper>);
  add_both(registry, "yule_simon", yule_simon_tail<kLower>, yule_simon_tail<kUpper>);
  add_both(registry, "discrete_range", discrete_range_tail<kLower>, discrete_range_tail<kUpper>);
}

}  // namespace dpvi
