#pragma once

#include <mpfr.h>

#include <initializer_list>
#include <utility>

#include <dpvi/privacy/dominating_pair.hpp>

namespace dpvi::testing_privacy {

// A 300-bit floating-point number.
class Big {
 public:
  explicit Big(double value = 0) {
    mpfr_init2(value_, 300);
    mpfr_set_d(value_, value, MPFR_RNDN);
  }
  Big(const Big& other) : Big() { mpfr_set(value_, other.value_, MPFR_RNDN); }
  Big& operator=(const Big& other) {
    mpfr_set(value_, other.value_, MPFR_RNDN);
    return *this;
  }
  ~Big() { mpfr_clear(value_); }

  friend Big operator+(const Big& a, const Big& b) { return apply(mpfr_add, a, b); }
  friend Big operator-(const Big& a, const Big& b) { return apply(mpfr_sub, a, b); }
  friend Big operator*(const Big& a, const Big& b) { return apply(mpfr_mul, a, b); }
  friend Big operator/(const Big& a, const Big& b) { return apply(mpfr_div, a, b); }
  friend bool operator<(const Big& a, const Big& b) { return mpfr_cmp(a.value_, b.value_) < 0; }
  friend bool operator<=(const Big& a, const Big& b) { return mpfr_cmp(a.value_, b.value_) <= 0; }

  Big exp() const { return apply(mpfr_exp, *this); }
  Big erfc() const { return apply(mpfr_erfc, *this); }
  Big sqrt() const { return apply(mpfr_sqrt, *this); }
  double to_double() const { return mpfr_get_d(value_, MPFR_RNDN); }

 private:
  template <class Operation>
  static Big apply(Operation operation, const Big& a, const Big& b) {
    Big result;
    operation(result.value_, a.value_, b.value_, MPFR_RNDN);
    return result;
  }
  template <class Operation>
  static Big apply(Operation operation, const Big& a) {
    Big result;
    operation(result.value_, a.value_, MPFR_RNDN);
    return result;
  }

  mpfr_t value_;
};

// Delta of one step at any epsilon, from the definition: P minus e^epsilon Q over the outcomes
// where that is positive. Bisection finds the boundary of these outcomes, without an inverse
// formula.
class HockeyStickOracle {
 public:
  HockeyStickOracle(Direction direction, double sampling_rate, double noise_multiplier)
      : up_(direction == Direction::add ? 0 : sampling_rate),
        down_(direction == Direction::remove ? 0 : sampling_rate),
        noise_(noise_multiplier) {}

  Big delta(double epsilon) const {
    const Big growth = Big(epsilon).exp();
    Big low(-1e3 * reach()), high(1e3 * reach());
    for (int i = 0; i < 300; ++i) {
      const Big middle = (low + high) / Big(2);
      (density_excess(middle, growth) < Big(0) ? low : high) = middle;
    }
    const Big above = tail(high, Big(1)) * Big(up_) + tail(high, Big(0)) * (Big(1) - Big(up_));
    const Big below = tail(high, Big(-1)) * Big(down_) + tail(high, Big(0)) * (Big(1) - Big(down_));
    const Big value = above - growth * below;
    return value < Big(0) ? Big(0) : value;
  }

 private:
  double reach() const { return noise_ * noise_ + noise_ + 1; }

  Big tail(const Big& x, const Big& mean) const {
    return ((x - mean) / (Big(noise_) * Big(2).sqrt())).erfc() / Big(2);
  }
  // (P - growth Q) / N(0), which has the sign of the numerator.
  Big density_excess(const Big& x, const Big& growth) const {
    const Big scale = Big(2) * Big(noise_) * Big(noise_);
    const Big right = ((Big(2) * x - Big(1)) / scale).exp();
    const Big left = ((Big(-2) * x - Big(1)) / scale).exp();
    return Big(1) - Big(up_) + Big(up_) * right -
           growth * (Big(1) - Big(down_) + Big(down_) * left);
  }

  double up_, down_, noise_;
};

}  // namespace dpvi::testing_privacy
