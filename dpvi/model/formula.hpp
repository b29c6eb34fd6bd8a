#pragma once

#include <limits>
#include <span>

#include <dpvi/tape/expression.hpp>

namespace dpvi {

// The rest of the vocabulary that densities and transforms are written in (expression.hpp has the
// arithmetic). Everything is entry by entry unless it says otherwise.

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
inline constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();
// How far Stan lets a simplex, a symmetric or a correlation matrix be from what it should be.
inline constexpr double kStanTolerance = 1e-8;
// Of what is computed for each record, perhaps in single precision, rounding must not decide.
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

// What a value is required to be, as masks; all are 0 for NaN.
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

// Of a mask, to one number.
inline Expression all(Expression mask) {
  return mask.with(mask.builder->reduce(Op::min_of, mask.id));
}
inline Expression any(Expression mask) {
  return mask.with(mask.builder->reduce(Op::max_of, mask.id));
}

// The value where the mask holds, NaN elsewhere: how a violated rule enters a result. The mask may
// be one number for all entries.
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
// One vector of all entries, in order; of nothing, an empty vector.
Expression pack(GraphBuilder& builder, std::span<const Expression> parts);
// Entry index - 1 of x: Stan counts from 1. NaN where the index is not one of x's.
Expression pick(Expression x, Expression index);

// x * log(y) with 0 * log(0) = 0.
Expression multiply_log(Expression x, Expression y);
// log of the binomial coefficient n over k.
Expression log_choose(Expression n, Expression k);
Expression log_beta(Expression a, Expression b);
// log(1 - p) of a probability p given as log(p). Flat where p has become 0, however it got there.
Expression log_complement(Expression log_p);
// log(exp(a) - exp(b)), a > b.
Expression log_diff_exp(Expression a, Expression b);
// The sums x[0], x[0] + x[1], ...
Expression cumulative_sum(Expression x);

}  // namespace dpvi
