#include <dpvi/model/densities/density_writer.hpp>
#include <dpvi/model/densities/families.hpp>

// Distribution functions that rest on the incomplete gamma and beta functions, on Student's t and
// on Owen's T. Both sides are computed directly, so each keeps its digits where the other rounds
// to 1.
namespace dpvi {
namespace {

// log P(a, x), or log Q(a, x) for the upper side.
template <Tail kSide>
Expression log_gamma_tail(Expression a, Expression x) {
  return apply(kSide == Tail::lower ? Op::log_gamma_p : Op::log_gamma_q, a, x);
}

// log I_x(a, b) for y = 1 - x, or the log of its complement I_y(b, a).
template <Tail kSide>
Expression log_beta_tail(Expression a, Expression b, Expression x, Expression y) {
  GraphBuilder& g = *a.builder;
  return a.with(kSide == Tail::lower ? g.ternary(Op::log_inc_beta, a.id, b.id, x.id)
                                     : g.ternary(Op::log_inc_beta, b.id, a.id, y.id));
}

constexpr Tail opposite(Tail tail) { return tail == Tail::lower ? Tail::upper : Tail::lower; }

template <Tail kTail>
NodeId gamma_tail(GraphBuilder& builder, Arguments arguments) {
  DensityWriter density(builder, arguments);
  const Expression y = density.nonnegative(0);
  const Expression alpha = density.positive_finite(1);
  const Expression beta = density.positive_finite(2);
  density.add(log_gamma_tail<kTail>(alpha, beta * y));
  return density.result();
}

template <Tail kTail>
NodeId chi_square_tail(GraphBuilder& builder, Arguments arguments) {
  DensityWriter density(builder, arguments);
  const Expression y = density.nonnegative(0);
  const Expression nu = density.positive_finite(1);
  density.add(log_gamma_tail<kTail>(0.5 * nu, 0.5 * y));
  return density.result();
}

// The share of an inverse below y is that of its reciprocal above 1 / y. All of it lies above 0.
template <Tail kTail>
NodeId reciprocal_tail(DensityWriter& density, Expression y, Expression shape, Expression rate) {
  const Expression at_zero = equal(y, 0.0);
  if (kTail == Tail::lower) density.zero_where(at_zero);
  const Expression share = log_gamma_tail<opposite(kTail)>(shape, rate / select(at_zero, 1.0, y));
  density.add(select(at_zero, density.lawful(0.0), share));
  return density.result();
}

template <Tail kTail>
NodeId inv_gamma_tail(GraphBuilder& builder, Arguments arguments) {
  DensityWriter density(builder, arguments);
  const Expression y = density.nonnegative(0);
  const Expression alpha = density.positive_finite(1);
  const Expression beta = density.positive_finite(2);
  return reciprocal_tail<kTail>(density, y, alpha, beta);
}

template <Tail kTail>
NodeId inv_chi_square_tail(GraphBuilder& builder, Arguments arguments) {
  DensityWriter density(builder, arguments);
  const Expression y = density.nonnegative(0);
  const Expression nu = density.positive_finite(1);
  return reciprocal_tail<kTail>(density, y, 0.5 * nu, y.with(0.5));
}

template <Tail kTail>
NodeId scaled_inv_chi_square_tail(GraphBuilder& builder, Arguments arguments) {
  DensityWriter density(builder, arguments);
  const Expression y = density.nonnegative(0);
  const Expression half_nu = 0.5 * density.positive_finite(1);
  const Expression scale = density.positive_finite(2);
  return reciprocal_tail<kTail>(density, y, half_nu, half_nu * square(scale));
}

template <Tail kTail>
NodeId beta_tail(GraphBuilder& builder, Arguments arguments) {
  DensityWriter density(builder, arguments);
  const Expression y = density.between(0, 0.0, 1.0);
  const Expression alpha = density.positive_finite(1);
  const Expression beta = density.positive_finite(2);
  density.add(log_beta_tail<kTail>(alpha, beta, y, 1.0 - y));
  return density.result();
}

template <Tail kTail>
NodeId beta_proportion_tail(GraphBuilder& builder, Arguments arguments) {
  DensityWriter density(builder, arguments);
  const Expression y = density.between(0, 0.0, 1.0);
  const Expression given = density.argument(1);
  const Expression mu = density.required(given, (given > 0.0) && (given < 1.0));
  const Expression kappa = density.positive_finite(2);
  density.add(log_beta_tail<kTail>(mu * kappa, (1.0 - mu) * kappa, y, 1.0 - y));
  return density.result();
}

template <Tail kTail>
NodeId student_t_tail(GraphBuilder& builder, Arguments arguments) {
  DensityWriter density(builder, arguments);
  const Expression y = density.not_nan(0);
  const Expression nu = density.positive_finite(1);
  const Expression mu = density.finite(2);
  const Expression sigma = density.positive_finite(3);
  const Expression z = (y - mu) / sigma;
  density.add(apply(Op::log_student_t_cdf, nu, kTail == Tail::lower ? z : -z));
  return density.result();
}

// Phi(z) - 2 T(z, alpha); loses digits in the thin tail, as Stan does.
template <Tail kTail>
NodeId skew_normal_tail(GraphBuilder& builder, Arguments arguments) {
  DensityWriter density(builder, arguments);
  const Expression y = density.not_nan(0);
  const Expression mu = density.finite(1);
  const Expression sigma = density.positive(2);
  const Expression alpha = density.finite(3);
  const Expression z = (y - mu) / sigma;
  const Expression twice = 2.0 * apply(Op::owens_t, z, alpha);
  const bool lower = kTail == Tail::lower;
  const Expression share = apply(Op::phi, lower ? z : -z);
  density.add(log(lower ? share - twice : share + twice));
  return density.result();
}

// Phi(z) minus the part of it that the exponential has carried beyond y.
template <Tail kTail>
NodeId exp_mod_normal_tail(GraphBuilder& builder, Arguments arguments) {
  DensityWriter density(builder, arguments);
  const Expression y = density.not_nan(0);
  const Expression mu = density.finite(1);
  const Expression sigma = density.positive_finite(2);
  const Expression lambda = density.positive_finite(3);
  const Expression z = (y - mu) / sigma;
  const Expression shift = lambda * sigma;
  const Expression carried = log_phi(z - shift) - shift * (z - 0.5 * shift);
  if (kTail == Tail::lower) {
    density.add(log_diff_exp(log_phi(z), carried));
  } else {
    const Expression beyond = log_phi(-z);
    density.add(beyond + log1p_exp(carried - beyond));
  }
  return density.result();
}

template <Tail kTail>
NodeId skew_double_exponential_tail(GraphBuilder& builder, Arguments arguments) {
  DensityWriter density(builder, arguments);
  const Expression y = density.not_nan(0);
  const Expression mu = density.finite(1);
  const Expression sigma = density.positive_finite(2);
  const Expression tau = density.between(3, 0.0, 1.0);
  const Expression distance = 2.0 * (y - mu) / sigma;
  const Expression below = log(tau) + (1.0 - tau) * distance;  // log P(Y <= y) for y < mu
  const Expression above = log1m(tau) - tau * distance;        // log P(Y > y) for y >= mu
  const bool lower = kTail == Tail::lower;
  density.add(
      select(y < mu, lower ? below : log_complement(below), lower ? log_complement(above) : above));
  return density.result();
}

// Nothing lies at or below a negative count.
void cut_counts(DensityWriter& density, Tail tail, Expression n) {
  if (tail == Tail::lower) density.zero_where(n < 0.0);
}

// Everything lies above a negative count.
template <Tail kTail>
Expression at_count(DensityWriter& density, Expression n, Expression log_share) {
  return kTail == Tail::lower ? log_share : select(n < 0.0, density.lawful(0.0), log_share);
}

// Counts below 0 are put to 0 before they reach a function that has no value there.
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

// P(Y <= n) is I_x(shape, n + 1), x the success probability.
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

// P(Y <= n) is I_(1 - p)(N - n, n + 1) for n below N, and 1 from there on.
template <Tail kTail>
NodeId binomial_tail(GraphBuilder& builder, Arguments arguments) {
  DensityWriter density(builder, arguments);
  const Expression n = density.argument(0);
  const Expression trials = density.nonnegative(1);
  const Expression p = density.between(2, 0.0, 1.0);
  const Expression all = n >= trials;
  cut_counts(density, kTail, n);
  if (kTail == Tail::upper) density.zero_where(all);
  const Expression inside = as_count(n);
  const Expression left = apply(Op::max, trials - inside, 1.0);
  const Expression share = log_beta_tail<kTail>(left, inside + 1.0, 1.0 - p, p);
  density.add(kTail == Tail::lower ? select(all, density.lawful(0.0), share)
                                   : at_count<kTail>(density, n, share));
  return density.result();
}

using TailFunction = NodeId (*)(GraphBuilder&, Arguments);

void add_both(FunctionRegistry& registry, const std::string& name, TailFunction lower,
              TailFunction upper) {
  registry.add(name + "_lcdf", lower);
  registry.add(name + "_lccdf", upper);
}

}  // namespace

void add_tail_family(FunctionRegistry& registry) {
  constexpr Tail kLower = Tail::lower;
  constexpr Tail kUpper = Tail::upper;
  add_both(registry, "gamma", gamma_tail<kLower>, gamma_tail<kUpper>);
  add_both(registry, "chi_square", chi_square_tail<kLower>, chi_square_tail<kUpper>);
  add_both(registry, "inv_gamma", inv_gamma_tail<kLower>, inv_gamma_tail<kUpper>);
  add_both(registry, "inv_chi_square", inv_chi_square_tail<kLower>, inv_chi_square_tail<kUpper>);
  add_both(registry, "scaled_inv_chi_square", scaled_inv_chi_square_tail<kLower>,
           scaled_inv_chi_square_tail<kUpper>);
  add_both(registry, "beta", beta_tail<kLower>, beta_tail<kUpper>);
  add_both(registry, "beta_proportion", beta_proportion_tail<kLower>, beta_proportion_tail<kUpper>);
  add_both(registry, "student_t", student_t_tail<kLower>, student_t_tail<kUpper>);
  add_both(registry, "skew_normal", skew_normal_tail<kLower>, skew_normal_tail<kUpper>);
  add_both(registry, "exp_mod_normal", exp_mod_normal_tail<kLower>, exp_mod_normal_tail<kUpper>);
  add_both(registry, "skew_double_exponential", skew_double_exponential_tail<kLower>,
           skew_double_exponential_tail<kUpper>);
  add_both(registry, "poisson", poisson_tail<kLower>, poisson_tail<kUpper>);
  add_both(registry, "neg_binomial", neg_binomial_tail<kLower>, neg_binomial_tail<kUpper>);
  add_both(registry, "neg_binomial_2", neg_binomial_2_tail<kLower>, neg_binomial_2_tail<kUpper>);
  add_both(registry, "binomial", binomial_tail<kLower>, binomial_tail<kUpper>);
}

}  // namespace dpvi
