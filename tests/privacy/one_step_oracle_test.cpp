#include <gtest/gtest.h>
#include <mpfr.h>

#include <cmath>

#include <dpvi/privacy/hockey_stick.hpp>
#include <dpvi/privacy/pld.hpp>

namespace dpvi {
namespace {

constexpr mpfr_prec_t kBits = 400;

// A number of 400 bits.
class Big {
 public:
  Big() { mpfr_init2(value_, kBits); }
  explicit Big(double value) : Big() { mpfr_set_d(value_, value, MPFR_RNDN); }
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
  Big exp() const { return apply(mpfr_exp); }
  Big log() const { return apply(mpfr_log); }
  Big sqrt() const { return apply(mpfr_sqrt); }
  Big erfc() const { return apply(mpfr_erfc); }
  double to_double() const { return mpfr_get_d(value_, MPFR_RNDN); }

 private:
  template <class Operation>
  static Big apply(Operation operation, const Big& a, const Big& b) {
    Big result;
    operation(result.value_, a.value_, b.value_, MPFR_RNDN);
    return result;
  }
  template <class Operation>
  Big apply(Operation operation) const {
    Big result;
    operation(result.value_, value_, MPFR_RNDN);
    return result;
  }

  mpfr_t value_;
};

// Upper tail of N(mean, s^2) at x.
Big tail(const Big& x, double mean, const Big& s) {
  return ((x - Big(mean)) / (s * Big(2.0).sqrt())).erfc() / Big(2.0);
}

Big log_ratio(Direction direction, const Big& q, const Big& s, const Big& x) {
  const Big scale = Big(2.0) * s * s;
  const Big rest = Big(1.0) - q;
  const Big up = rest + q * ((Big(2.0) * x - Big(1.0)) / scale).exp();
  const Big down = rest + q * ((Big(-2.0) * x - Big(1.0)) / scale).exp();
  if (direction == Direction::remove) return up.log();
  if (direction == Direction::add) return Big(0.0) - down.log();
  return up.log() - down.log();
}

// P above x minus e^epsilon times Q above x, at the x where ln P/Q is epsilon, found by bisection.
// Adding is reflected so that the ratio increases with x.
double oracle_delta(Direction direction, double q, double s, double epsilon) {
  const Big rate(q), noise(s), rest = Big(1.0) - Big(q), loss(epsilon);
  Big low(-1e4 * s - 10), high(1e4 * s + 10);
  if ((log_ratio(direction, rate, noise, high) - loss).to_double() <= 0.0) return 0.0;
  for (int i = 0; i < 420; ++i) {
    const Big middle = (low + high) / Big(2.0);
    const bool above = (log_ratio(direction, rate, noise, middle) - loss).to_double() > 0.0;
    (above ? high : low) = middle;
  }
  const Big centre = tail(high, 0.0, noise);
  const Big up = rest * centre + rate * tail(high, 1.0, noise);
  const Big down = rest * centre + rate * tail(high, -1.0, noise);
  const Big& p = direction == Direction::add ? centre : up;
  const Big& q_tail = direction == Direction::remove ? centre : down;
  return (p - loss.exp() * q_tail).to_double();
}

TEST(OneStepOracle, HockeySticksEncloseThe400BitValue) {
  for (const Direction direction : {Direction::remove, Direction::add, Direction::substitute}) {
    for (const double q : {1e-6, 0.01, 0.3, 0.9}) {
      for (const double s : {0.3, 1.0, 5.0, 60.0}) {
        for (const double epsilon : {1e-3, 0.1, 1.0, 4.0}) {
          const double truth = oracle_delta(direction, q, s, epsilon);
          const Bracket found = one_step_delta(direction, q, s, epsilon);
          const double slack = 1e-15 * truth;
          EXPECT_LE(found.lower, truth + slack) << q << " " << s << " " << epsilon;
          EXPECT_GE(found.upper, truth - slack) << q << " " << s << " " << epsilon;
          if (truth > 1e-200) {
            EXPECT_LE(found.width(), 1e-6 * truth) << q << " " << s << " " << epsilon;
          }
        }
      }
    }
  }
}

// Two steps, by brute force: the second step's hockey stick averaged over the first one's outcomes,
// with a trapezoidal rule that is exact to many digits for smooth integrands.
double two_step_delta(double q, double s, double epsilon) {
  const double step = s / 200.0;
  double sum = 0.0;
  for (double x = -12.0 * s; x <= 1.0 + 12.0 * s; x += step) {
    const auto density = [&](double mean) {
      return std::exp(-(x - mean) * (x - mean) / (2 * s * s));
    };
    const double p = (1 - q) * density(0) + q * density(1);
    const double rest = epsilon - std::log(p / density(0));
    // delta of P against Q at a negative epsilon follows from the reversed pair.
    const double delta =
        rest >= 0 ? one_step_delta(Direction::remove, q, s, rest).upper
                  : 1 - std::exp(rest) +
                        std::exp(rest) * one_step_delta(Direction::add, q, s, -rest).upper;
    sum += p * delta;
  }
  return sum * step / (s * std::sqrt(2 * M_PI));
}

TEST(TwoStepOracle, CompositionEnclosesBruteForce) {
  for (const double q : {0.02, 0.2, 0.7}) {
    for (const double s : {0.6, 1.5}) {
      for (const double epsilon : {0.1, 0.8}) {
        const double truth = two_step_delta(q, s, epsilon);
        const Bracket found = pld_delta(GaussianRun{{q, s, 2}}, Adjacency::add_remove, epsilon);
        // The remove direction is the worse one here; the rule's own error is below 1e-7.
        EXPECT_GE(found.upper, truth * (1 - 1e-6)) << q << " " << s << " " << epsilon;
        EXPECT_LE(found.lower, truth * (1 + 1e-6)) << q << " " << s << " " << epsilon;
      }
    }
  }
}

}  // namespace
}  // namespace dpvi
