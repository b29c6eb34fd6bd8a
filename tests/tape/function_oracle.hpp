#pragma once

#include <mpfr.h>

#include <cmath>
#include <functional>
#include <stdexcept>

#include <dpvi/tape/math/op.hpp>

namespace dpvi {

// A 400-bit number, for formulas that double precision cannot evaluate directly.
class Big {
 public:
  Big(double x = 0.0) {
    mpfr_init2(value_, kBits);
    mpfr_set_d(value_, x, MPFR_RNDN);
  }
  Big(const Big& other) : Big() { mpfr_set(value_, other.value_, MPFR_RNDN); }
  Big& operator=(const Big& other) {
    mpfr_set(value_, other.value_, MPFR_RNDN);
    return *this;
  }
  ~Big() { mpfr_clear(value_); }

  double to_double() const { return mpfr_get_d(value_, MPFR_RNDN); }

  using Unary = int (*)(mpfr_t, const mpfr_t, mpfr_rnd_t);
  Big apply(Unary function) const {
    Big result;
    function(result.value_, value_, MPFR_RNDN);
    return result;
  }

  friend Big operator+(const Big& a, const Big& b) { return combine(mpfr_add, a, b); }
  friend Big operator-(const Big& a, const Big& b) { return combine(mpfr_sub, a, b); }
  friend Big operator*(const Big& a, const Big& b) { return combine(mpfr_mul, a, b); }
  friend Big operator/(const Big& a, const Big& b) { return combine(mpfr_div, a, b); }

 private:
  static constexpr mpfr_prec_t kBits = 400;
  using Binary = int (*)(mpfr_t, const mpfr_t, const mpfr_t, mpfr_rnd_t);
  static Big combine(Binary function, const Big& a, const Big& b) {
    Big result;
    function(result.value_, a.value_, b.value_, MPFR_RNDN);
    return result;
  }

  mpfr_t value_;
};

inline int mpfr_log_abs_gamma(mpfr_t out, const mpfr_t x, mpfr_rnd_t rounding) {
  int sign = 0;
  return mpfr_lgamma(out, &sign, x, rounding);
}

inline int mpfr_round_down(mpfr_t out, const mpfr_t x, mpfr_rnd_t) { return mpfr_floor(out, x); }

inline Big big_exp(const Big& x) { return x.apply(mpfr_exp); }
inline Big big_log(const Big& x) { return x.apply(mpfr_log); }
inline Big big_log_gamma(const Big& x) { return x.apply(mpfr_log_abs_gamma); }

// Central differences.
inline double big_slope(const std::function<Big(const Big&)>& function, double at) {
  const Big step(0x1p-100);
  const Big x(at);
  return ((function(x + step) - function(x - step)) / (step + step)).to_double();
}
// Avoids exponents that overflow even this format.
inline Big big_log1p_exp(const Big& x) {
  const Big decay = big_exp(Big(0.0) - x.apply(mpfr_abs));
  return (x.to_double() > 0.0 ? x : Big(0.0)) + decay.apply(mpfr_log1p);
}
inline Big big_phi(const Big& x) {
  return (Big(0.0) - x / Big(2.0).apply(mpfr_sqrt)).apply(mpfr_erfc) / Big(2.0);
}

// Sum of (x^2/4)^k / (k!)^2, whose terms are all positive.
inline Big big_bessel_i0(const Big& x) {
  const Big quarter = x * x / Big(4.0);
  Big term(1.0);
  Big total(1.0);
  for (int k = 1; k < 4000; ++k) {
    term = term * quarter / Big(static_cast<double>(k)) / Big(static_cast<double>(k));
    total = total + term;
  }
  return total;
}

// Returns nullptr for an operation that MPFR does not have.
inline Big::Unary mpfr_function(Op op) {
  switch (op) {
    case Op::log1p:
      return mpfr_log1p;
    case Op::sqrt:
      return mpfr_sqrt;
    case Op::fabs:
      return mpfr_abs;
    case Op::sin:
      return mpfr_sin;
    case Op::cos:
      return mpfr_cos;
    case Op::tan:
      return mpfr_tan;
    case Op::asin:
      return mpfr_asin;
    case Op::acos:
      return mpfr_acos;
    case Op::atan:
      return mpfr_atan;
    case Op::sinh:
      return mpfr_sinh;
    case Op::cosh:
      return mpfr_cosh;
    case Op::tanh:
      return mpfr_tanh;
    case Op::lgamma:
      return mpfr_log_abs_gamma;
    case Op::digamma:
      return mpfr_digamma;
    case Op::floor:
      return mpfr_round_down;
    case Op::exp:
      return mpfr_exp;
    case Op::log:
      return mpfr_log;
    default:
      return nullptr;
  }
}

// The defining formula of a unary operation.
inline Big exact_unary(Op op, const Big& x) {
  if (const Big::Unary function = mpfr_function(op)) return x.apply(function);
  const Big one(1.0);
  switch (op) {
    case Op::neg:
      return Big(0.0) - x;
    case Op::log1m:
      return (Big(0.0) - x).apply(mpfr_log1p);
    case Op::expm1:
      return big_exp(x) - one;
    case Op::square:
      return x * x;
    case Op::inv:
      return one / x;
    case Op::inv_logit:
      return one / (one + big_exp(Big(0.0) - x));
    case Op::logit:
      return big_log(x / (one - x));
    case Op::log_inv_logit:
      return Big(0.0) - big_log1p_exp(Big(0.0) - x);
    case Op::log1p_exp:
      return big_log1p_exp(x);
    case Op::log1m_exp:
      return (Big(0.0) - big_exp(x)).apply(mpfr_log1p);
    case Op::trigamma: {
      const Big h(0x1p-130);
      return ((x + h).apply(mpfr_digamma) - (x - h).apply(mpfr_digamma)) / (h + h);
    }
    case Op::phi:
      return big_phi(x);
    case Op::log_phi:
      return big_log(big_phi(x));
    case Op::log_bessel_i0:
      return big_log(big_bessel_i0(x));
    default:
      throw std::logic_error("no formula for this operation");
  }
}

// Central difference at nonzero x, with a step too small to affect any digit.
inline double exact_derivative(Op op, double x) {
  const Big h(0x1p-60 * std::fmin(1.0, std::fabs(x)));
  const Big slope = (exact_unary(op, Big(x) + h) - exact_unary(op, Big(x) - h)) / (h + h);
  return slope.to_double();
}

// Distance in units in the last place of the exact value, or of `floor` if that is larger.
inline double units_apart(double got, const Big& exact, double floor) {
  const double rounded = exact.to_double();
  if (got == rounded || (std::isnan(got) && std::isnan(rounded))) return 0.0;
  if (!std::isfinite(got) || !std::isfinite(rounded)) return HUGE_VAL;
  const double scale = std::fmax(std::fabs(rounded), floor);
  const double unit = scale - std::nextafter(scale, 0.0);
  return std::fabs((Big(got) - exact).to_double()) / unit;
}

}  // namespace dpvi
