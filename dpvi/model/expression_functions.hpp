#pragma once

#include <limits>
#include <span>

#include <dpvi/tape/graph/expression.hpp>

namespace dpvi {

// The rest of the vocabulary in which densities and transforms are written; expression.hpp has the
// arithmetic. Functions work entry by entry unless their comment says otherwise.

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
inline constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();
// Stan's tolerance when it checks simplexes, symmetric matrices and correlation matrices.
inline constexpr double kStanTolerance = 1e-8;
// The tolerance for checking a rule on a value. Lane values may be in single precision, and
// rounding must not decide whether they pass, so their tolerance is wider.
inline double rule_tolerance(Expression value) {
  return value.space() == Space::lane ? 1e-5 : kStanTolerance;
}

inline Expression log1m(Expression x) { return apply(Op::log1m, x); }
inline Expression fabs(Expression x) { return apply(Op::fabs, x); }
inline Expression inv(Expression x) { return apply(Op::inv, x); }
inline Expression cos(Expression x) { return apply(Op::cos, x); }
inline Expression tanh(Expression x) { return apply(Op::tanh, x); }
inline Expression inv_logit(Expression x) { return apply(Op::inv_logit, x); }
inline Expression log_inv_logit(Expression x) { return apply(Op::log_inv_logit, x); }
inline Expression log1m_inv_logit(Expression x) { return log_inv_logit(-x); }
inline Expression log1p_exp(Expression x) { return apply(Op::log1p_exp, x); }
inline Expression log1m_exp(Expression x) { return apply(Op::log1m_exp, x); }
inline Expression log_phi(Expression x) { return apply(Op::log_phi, x); }
inline Expression log_bessel_i0(Expression x) { return apply(Op::log_bessel_i0, x); }
inline Expression is_nan(Expression x) { return apply(Op::is_nan, x); }
template <class B>
Expression equal(Expression a, B b) {
  return apply(Op::eq, a, b);
}
inline Expression operator&&(Expression a, Expression b) { return apply(Op::logical_and, a, b); }
inline Expression operator||(Expression a, Expression b) { return apply(Op::logical_or, a, b); }

inline Expression select(Expression mask, Expression if_true, double if_false) {
  return select(mask, if_true, if_true.with(if_false));
}
inline Expression select(Expression mask, double if_true, Expression if_false) {
  return select(mask, if_false.with(if_true), if_false);
}
inline Expression select(Expression mask, double if_true, double if_false) {
  return select(mask, mask.with(if_true), mask.with(if_false));
}

// Masks for what a value is required to be. All are 0 for NaN.
inline Expression finite(Expression x) { return fabs(x) < kInfinity; }
inline Expression not_nan(Expression x) { return !is_nan(x); }
inline Expression positive(Expression x) { return x > 0.0; }
inline Expression nonnegative(Expression x) { return x >= 0.0; }
inline Expression positive_finite(Expression x) { return (x > 0.0) && (x < kInfinity); }
inline Expression bounded(Expression x, Expression lower, Expression upper) {
  return (lower <= x) && (x <= upper);
}
inline Expression bounded(Expression x, double lower, double upper) {
  return bounded(x, x.with(lower), x.with(upper));
}

// Reductions of a mask to one number.
inline Expression all(Expression mask) {
  return mask.with(mask.builder->reduce(Op::min_of, mask.id));
}
inline Expression any(Expression mask) {
  return mask.with(mask.builder->reduce(Op::max_of, mask.id));
}

// Returns the value where the mask holds and NaN elsewhere. This is how a violated rule enters a
// result. The mask may be a scalar that holds for all entries.
inline Expression where(Expression mask, Expression value) {
  return select(mask, value, kNotANumber);
}

inline Expression slice(Expression x, std::int32_t offset, std::int32_t length,
                        std::int32_t stride = 1) {
  return x.with(x.builder->slice(x.id, offset, length, stride));
}
inline Expression repeat(Expression scalar, std::int32_t length) {
  return scalar.with(scalar.builder->broadcast(scalar.id, length));
}
inline Expression constant(GraphBuilder& builder, double value) {
  return {&builder, builder.constant(value)};
}
inline Expression constant(GraphBuilder& builder, std::span<const double> values) {
  return {&builder, builder.constant(values)};
}
// Concatenates all entries in order. An empty list gives an empty vector.
Expression pack(GraphBuilder& builder, std::span<const Expression> parts);
// Entry index - 1 of x, because Stan counts from 1. NaN if that is not a valid index of x.
Expression pick(Expression x, Expression index);

// x * log(y) with 0 * log(0) = 0.
Expression multiply_log(Expression x, Expression y);
// Log of the binomial coefficient n over k.
Expression log_choose(Expression n, Expression k);
Expression log_beta(Expression a, Expression b);
// log(1 - p) for a probability p given as log(p). The derivative is zero where p is 0, also if p
// has underflowed to 0.
Expression log_complement(Expression log_p);
// log(exp(a) - exp(b)) for a >= b.
Expression log_diff_exp(Expression a, Expression b);
// The partial sums x[0], x[0] + x[1], ...
Expression cumulative_sum(Expression x);

}  // namespace dpvi
