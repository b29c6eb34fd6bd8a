#pragma once

#include <cstdint>
#include <string_view>

namespace dpvi {

// The operation of a node. Operations are ordered by the number and shape of their arguments, and
// op_class() relies on this order.
enum class Op : std::uint8_t {
  // Inputs.
  constant,
  theta,
  record_real,
  record_int,
  // One argument, elementwise.
  neg,
  exp,
  log,
  log1p,
  log1m,
  expm1,
  sqrt,
  square,
  inv,
  fabs,
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  sinh,
  cosh,
  tanh,
  inv_logit,
  logit,
  log_inv_logit,  // log(inv_logit(x)), accurate in both tails
  log1p_exp,      // log(1 + exp(x)), no overflow
  log1m_exp,      // log(1 - exp(x)), x < 0
  lgamma,         // log |gamma(x)|
  digamma,
  trigamma,
  phi,            // standard normal distribution function
  log_phi,        // its logarithm, accurate in the lower tail
  inv_phi,        // its inverse, the quantile function
  log_bessel_i0,  // log of the modified Bessel function of the first kind, order 0
  lambert_w0,     // the solution w >= -1 of w exp(w) = x
  lambert_wm1,    // the solution w <= -1
  floor,
  ceil,
  round,  // halfway cases away from zero
  trunc,
  is_nan,  // 1 where the argument is NaN, else 0
  logical_not,
  // Two arguments, elementwise. A scalar is broadcast against a vector.
  add,
  sub,
  mul,
  div,
  pow,
  min,
  max,
  atan2,
  fmod,               // sign of the first argument, as in C
  log_gamma_p,        // log of the regularised incomplete gamma function P(a, x)
  log_gamma_q,        // log of Q = 1 - P
  log_student_t_cdf,  // (degrees of freedom, t)
  owens_t,            // Owen's T(h, a)
  bessel_j,           // Bessel functions (order, x); the order has no derivative
  bessel_y,
  bessel_i,
  bessel_k,
  log_bessel_i,
  von_mises_cdf,  // probability of [-pi, x] with concentration kappa: (x, kappa)
  lt,
  le,
  eq,
  ne,
  logical_and,
  logical_or,
  // Three arguments, elementwise: mask, value where the mask is not 0, value where it is 0.
  select,
  // Three or four arguments, elementwise.
  log_inc_beta,               // log of the regularised incomplete beta function, (a, b, x)
  log_beta_binomial_cdf,      // (n, trials, a, b)
  log_beta_neg_binomial_cdf,  // (n, r, a, b)
  // Views and selections.
  slice,
  pack,
  gather,
  // Reductions to a scalar.
  sum,
  prod,
  min_of,
  max_of,
  log_sum_exp,
  dot,
  squared_distance,  // sum of (a - b)^2
  // Matrix product.
  matmul,
  // L^-1 b with a lower triangular L.
  solve_lower
};

inline constexpr int kOpCount = static_cast<int>(Op::solve_lower) + 1;

// The largest number of arguments of an elementwise operation.
inline constexpr int kMaxArguments = 4;

enum class OpClass : std::uint8_t {
  input,
  unary,
  binary,
  select,
  several,
  slice,
  pack,
  gather,
  reduction,       // one argument
  pair_reduction,  // two arguments of one length, or a scalar and a vector
  matmul,
  solve_lower
};

constexpr OpClass op_class(Op op) {
  if (op <= Op::record_int) return OpClass::input;
  if (op <= Op::logical_not) return OpClass::unary;
  if (op <= Op::logical_or) return OpClass::binary;
  if (op <= Op::log_sum_exp && op >= Op::sum) return OpClass::reduction;
  switch (op) {
    case Op::select:
      return OpClass::select;
    case Op::log_inc_beta:
    case Op::log_beta_binomial_cdf:
    case Op::log_beta_neg_binomial_cdf:
      return OpClass::several;
    case Op::slice:
      return OpClass::slice;
    case Op::pack:
      return OpClass::pack;
    case Op::gather:
      return OpClass::gather;
    case Op::matmul:
      return OpClass::matmul;
    case Op::solve_lower:
      return OpClass::solve_lower;
    default:
      return OpClass::pair_reduction;
  }
}

// Operations whose value is a step function. Their derivative is zero wherever it exists, so no
// adjoint passes through them.
constexpr bool is_step(Op op) {
  return (op >= Op::floor && op <= Op::logical_not) || (op >= Op::lt && op <= Op::logical_or);
}

constexpr bool is_commutative(Op op) {
  switch (op) {
    case Op::add:
    case Op::mul:
    case Op::min:
    case Op::max:
    case Op::eq:
    case Op::ne:
    case Op::logical_and:
    case Op::logical_or:
    case Op::dot:
    case Op::squared_distance:
      return true;
    default:
      return false;
  }
}

std::string_view op_name(Op op);

}  // namespace dpvi
