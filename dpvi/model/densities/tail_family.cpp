#include <dpvi/model/densities/density_writer.hpp>
#include <dpvi/model/densities/families.hpp>
#include <dpvi/model/densities/tail_parts.hpp>

// Distribution functions of continuous variables that build on the incomplete gamma and beta
// functions, on Student's t and on Owen's T. Both tails are computed directly, so each keeps its
// digits where the other rounds to 1.
namespace dpvi {
namespace {

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

// The lower tail of an inverse distribution at y is the upper tail of the reciprocal at 1 / y. The
// whole distribution lies above 0.
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

// log I_y(alpha, beta) or the log of its complement. Near y = 0, where 1 - y has lost the digits of
// y, the complement is computed from the lower tail.
template <Tail kTail>
Expression log_beta_share(Expression alpha, Expression beta, Expression y) {
  const Expression direct = log_beta_tail<kTail>(alpha, beta, y, 1.0 - y);
  if (kTail == Tail::lower) return direct;
  constexpr double kNextToZero = 1e-8;
  const double* known = y.builder->constant_value(y.id);
  if (known != nullptr && *known > kNextToZero) return direct;
  const Expression below = log_beta_tail<Tail::lower>(alpha, beta, y, 1.0 - y);
  return select(y < kNextToZero, log_complement(below), direct);
}

template <Tail kTail>
NodeId beta_tail(GraphBuilder& builder, Arguments arguments) {
  DensityWriter density(builder, arguments);
  const Expression y = density.between(0, 0.0, 1.0);
  const Expression alpha = density.positive_finite(1);
  const Expression beta = density.positive_finite(2);
  density.add(log_beta_share<kTail>(alpha, beta, y));
  return density.result();
}

template <Tail kTail>
NodeId beta_proportion_tail(GraphBuilder& builder, Arguments arguments) {
  DensityWriter density(builder, arguments);
  const Expression y = density.between(0, 0.0, 1.0);
  const Expression given = density.argument(1);
  const Expression mu = density.required(given, (given > 0.0) && (given < 1.0));
  const Expression kappa = density.positive_finite(2);
  density.add(log_beta_share<kTail>(mu * kappa, (1.0 - mu) * kappa, y));
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

// Phi(z) - 2 T(z, alpha). It loses digits in the thin tail, as in Stan.
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

// Phi(z) minus the part that the exponential variable carries beyond y.
template <Tail kTail>
NodeId exp_mod_normal_tail(GraphBuilder& builder, Arguments arguments) {
  DensityWriter density(builder, arguments);
  const Expression y = density.not_nan(0);
  const Expression mu = density.finite(1);
  const Expression sigma = density.positive_finite(2);
  const Expression lambda = density.positive_finite(3);
  // At y = -inf and y = inf the probability is 0 or 1, whatever the parameters are.
  const bool lower = kTail == Tail::lower;
  const Expression at_end = equal(fabs(y), kInfinity);
  density.zero_where(equal(y, lower ? -kInfinity : kInfinity));
  const Expression z = (select(at_end, 0.0, y) - mu) / sigma;
  const Expression shift = lambda * sigma;
  const Expression carried = log_phi(z - shift) - shift * (z - 0.5 * shift);
  const Expression beyond = log_phi(-z);
  const Expression share =
      lower ? log_diff_exp(log_phi(z), carried) : beyond + log1p_exp(carried - beyond);
  density.add(select(at_end, density.lawful(0.0), share));
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
}

}  // namespace dpvi
