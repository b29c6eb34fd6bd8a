#include <dpvi/tape/math/scalar_functions.hpp>

#include <cmath>
#include <limits>
#include <numbers>

#include <dpvi/tape/math/bessel_functions.hpp>
#include <dpvi/tape/math/beta_compound_cdfs.hpp>
#include <dpvi/tape/math/incomplete_functions.hpp>
#include <dpvi/tape/math/special_functions.hpp>
#include <dpvi/tape/math/von_mises.hpp>

namespace dpvi {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

double truth(bool condition) { return condition ? 1.0 : 0.0; }

double inv_logit(double x) {
  const double e = std::exp(-std::fabs(x));
  return (x < 0.0 ? e : 1.0) / (1.0 + e);
}

double log1m_exp(double x) {
  if (x > 0.0) return kNan;
  return x > -std::numbers::ln2 ? std::log(-std::expm1(x)) : std::log1p(-std::exp(x));
}

double log1p_exp(double x) { return (x > 0.0 ? x : 0.0) + std::log1p(std::exp(-std::fabs(x))); }

double sign(double x) {
  if (x > 0.0) return 1.0;
  if (x < 0.0) return -1.0;
  return x;  // keeps NaN, and 0 at 0
}

double reciprocal_square(double x) { return 1.0 / (x * x); }

// Unlike fmin and fmax, these return NaN if either argument is NaN, so a failed check is never
// lost.
double smaller(double a, double b) {
  if (std::isnan(b)) return b;
  return b < a ? b : a;
}

double larger(double a, double b) {
  if (std::isnan(b)) return b;
  return b > a ? b : a;
}

BinaryPartials pow_partials(double a, double b, double value) {
  return {b == 0.0 ? 0.0 : b * std::pow(a, b - 1.0), a == 0.0 ? 0.0 : value * std::log(a)};
}

}  // namespace

// NOLINTNEXTLINE(readability-function-size): one case per operation.
double unary_value(Op op, double x) {
  switch (op) {
    case Op::neg:
      return -x;
    case Op::exp:
      return std::exp(x);
    case Op::log:
      return std::log(x);
    case Op::log1p:
      return std::log1p(x);
    case Op::log1m:
      return std::log1p(-x);
    case Op::expm1:
      return std::expm1(x);
    case Op::sqrt:
      return std::sqrt(x);
    case Op::square:
      return x * x;
    case Op::inv:
      return 1.0 / x;
    case Op::fabs:
      return std::fabs(x);
    case Op::sin:
      return std::sin(x);
    case Op::cos:
      return std::cos(x);
    case Op::tan:
      return std::tan(x);
    case Op::asin:
      return std::asin(x);
    case Op::acos:
      return std::acos(x);
    case Op::atan:
      return std::atan(x);
    case Op::sinh:
      return std::sinh(x);
    case Op::cosh:
      return std::cosh(x);
    case Op::tanh:
      return std::tanh(x);
    case Op::inv_logit:
      return inv_logit(x);
    case Op::logit:
      return std::log(x) - std::log1p(-x);
    case Op::log_inv_logit:
      return -log1p_exp(-x);
    case Op::log1p_exp:
      return log1p_exp(x);
    case Op::log1m_exp:
      return log1m_exp(x);
    case Op::lgamma:
      return log_gamma(x);
    case Op::digamma:
      return digamma(x);
    case Op::trigamma:
      return trigamma(x);
    case Op::phi:
      return standard_normal_cdf(x);
    case Op::log_phi:
      return log_standard_normal_cdf(x);
    case Op::inv_phi:
      return standard_normal_quantile(x);
    case Op::log_bessel_i0:
      return log_bessel_i0(x);
    case Op::lambert_w0:
      return lambert_w0(x).value;
    case Op::lambert_wm1:
      return lambert_wm1(x).value;
    case Op::floor:
      return std::floor(x);
    case Op::ceil:
      return std::ceil(x);
    case Op::round:
      return std::round(x);
    case Op::trunc:
      return std::trunc(x);
    case Op::is_nan:
      return truth(std::isnan(x));
    case Op::logical_not:
      return truth(x == 0.0);
    default:
      return kNan;
  }
}

// NOLINTNEXTLINE(readability-function-size): one case per operation.
double unary_partial(Op op, double x, double value) {
  switch (op) {
    case Op::neg:
      return -1.0;
    case Op::exp:
      return value;
    case Op::log:
      return 1.0 / x;
    case Op::log1p:
      return 1.0 / (1.0 + x);
    case Op::log1m:
      return -1.0 / (1.0 - x);
    case Op::expm1:
      return value + 1.0;
    case Op::sqrt:
      return 0.5 / value;
    case Op::square:
      return 2.0 * x;
    case Op::inv:
      return -value * value;
    case Op::fabs:
      return sign(x);
    case Op::sin:
      return std::cos(x);
    case Op::cos:
      return -std::sin(x);
    case Op::tan:
      return 1.0 + value * value;
    case Op::asin:
      return 1.0 / std::sqrt((1.0 - x) * (1.0 + x));
    case Op::acos:
      return -1.0 / std::sqrt((1.0 - x) * (1.0 + x));
    case Op::atan:
      return 1.0 / (1.0 + x * x);
    case Op::sinh:
      return std::cosh(x);
    case Op::cosh:
      return std::sinh(x);
    case Op::tanh:
      return reciprocal_square(std::cosh(x));
    case Op::inv_logit:
      return value * inv_logit(-x);
    case Op::logit:
      return 1.0 / (x * (1.0 - x));
    case Op::log_inv_logit:
      return inv_logit(-x);
    case Op::log1p_exp:
      return inv_logit(x);
    case Op::log1m_exp:
      return -1.0 / std::expm1(-x);
    case Op::lgamma:
      return digamma(x);
    case Op::digamma:
      return trigamma(x);
    case Op::trigamma:
      return tetragamma(x);
    case Op::phi:
      return std::exp(-0.5 * x * x) * (0.5 * std::numbers::inv_sqrtpi * std::numbers::sqrt2);
    case Op::log_phi:
      return inverse_mills_ratio(x);
    case Op::inv_phi:
      return std::exp(0.5 * value * value) * (std::numbers::sqrt2 / std::numbers::inv_sqrtpi);
    case Op::log_bessel_i0:
      return bessel_i1_over_i0(x);
    case Op::lambert_w0:
      return lambert_w0(x).slope;
    case Op::lambert_wm1:
      return lambert_wm1(x).slope;
    default:
      return 0.0;
  }
}

namespace {

ValueAndSlope bessel(Op op, double order, double x) {
  switch (op) {
    case Op::bessel_j:
      return bessel_j(order, x);
    case Op::bessel_y:
      return bessel_y(order, x);
    case Op::bessel_i:
      return bessel_i(order, x);
    case Op::bessel_k:
      return bessel_k(order, x);
    default:
      return log_bessel_i(order, x);
  }
}

}  // namespace

double binary_value(Op op, double a, double b) {
  switch (op) {
    case Op::add:
      return a + b;
    case Op::sub:
      return a - b;
    case Op::mul:
      return a * b;
    case Op::div:
      return a / b;
    case Op::pow:
      return std::pow(a, b);
    case Op::min:
      return smaller(a, b);
    case Op::max:
      return larger(a, b);
    case Op::atan2:
      return std::atan2(a, b);
    case Op::fmod:
      return std::fmod(a, b);
    case Op::log_gamma_p:
      return log_incomplete_gamma(a, b).lower;
    case Op::log_gamma_q:
      return log_incomplete_gamma(a, b).upper;
    case Op::log_student_t_cdf:
      return log_student_t_cdf(a, b).value;
    case Op::owens_t:
      return owens_t(a, b).value;
    case Op::bessel_j:
    case Op::bessel_y:
    case Op::bessel_i:
    case Op::bessel_k:
    case Op::log_bessel_i:
      return bessel(op, a, b).value;
    case Op::von_mises_cdf:
      return von_mises_cdf(a, b).value;
    case Op::lt:
      return truth(a < b);
    case Op::le:
      return truth(a <= b);
    case Op::eq:
      return truth(a == b);
    case Op::ne:
      return truth(a != b);
    case Op::logical_and:
      return truth(a != 0.0 && b != 0.0);
    case Op::logical_or:
      return truth(a != 0.0 || b != 0.0);
    default:
      return kNan;
  }
}

BinaryPartials binary_partials(Op op, double a, double b, double value) {
  switch (op) {
    case Op::add:
      return {1.0, 1.0};
    case Op::sub:
      return {1.0, -1.0};
    case Op::mul:
      return {b, a};
    case Op::div:
      return {1.0 / b, -value / b};
    case Op::pow:
      return pow_partials(a, b, value);
    case Op::min:
      return {truth(!(b < a)), truth(b < a)};
    case Op::max:
      return {truth(!(b > a)), truth(b > a)};
    case Op::atan2:
      return {b / (a * a + b * b), -a / (a * a + b * b)};
    case Op::fmod:
      return {1.0, -std::trunc(a / b)};
    case Op::log_gamma_p: {
      const LogTails tails = log_incomplete_gamma(a, b);
      return {tails.lower_by_a, tails.lower_by_x};
    }
    case Op::log_gamma_q: {
      const LogTails tails = log_incomplete_gamma(a, b);
      return {tails.upper_by_a, tails.upper_by_x};
    }
    case Op::log_student_t_cdf: {
      const LogStudent tail = log_student_t_cdf(a, b);
      return {tail.by_nu, tail.by_t};
    }
    case Op::owens_t: {
      const OwensT t = owens_t(a, b);
      return {t.by_h, t.by_a};
    }
    case Op::bessel_j:
    case Op::bessel_y:
    case Op::bessel_i:
    case Op::bessel_k:
    case Op::log_bessel_i:
      return {0.0, bessel(op, a, b).slope};
    case Op::von_mises_cdf: {
      const VonMises share = von_mises_cdf(a, b);
      return {share.by_x, share.by_kappa};
    }
    default:
      return {0.0, 0.0};
  }
}

SeveralResult several_result(Op op, std::span<const double> x) {
  if (op == Op::log_inc_beta) {
    const LogBeta beta = log_incomplete_beta(x[0], x[1], x[2]);
    return {beta.value, {beta.by[0], beta.by[1], beta.by[2], 0.0}};
  }
  const LogCdf share = op == Op::log_beta_binomial_cdf
                           ? log_beta_binomial_cdf(x[0], x[1], x[2], x[3])
                           : log_beta_neg_binomial_cdf(x[0], x[1], x[2], x[3]);
  return {share.value, {0.0, share.by[0], share.by[1], share.by[2]}};
}

}  // namespace dpvi
