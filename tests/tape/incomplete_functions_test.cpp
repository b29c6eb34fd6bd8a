#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include <dpvi/tape/math/incomplete_functions.hpp>
#include <tests/tape/function_oracle.hpp>

namespace dpvi {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// x^a exp(-x) / gamma(a + 1) times the sum of x^n / ((a + 1) ... (a + n)), whose terms are
// positive.
Big exact_gamma_p(const Big& a, const Big& x) {
  Big term(1.0);
  Big total(1.0);
  for (int n = 1; n < 1200; ++n) {
    term = term * x / (a + Big(static_cast<double>(n)));
    total = total + term;
  }
  return big_exp(a * big_log(x) - x - big_log_gamma(a + Big(1.0))) * total;
}

// x^a (1 - x)^b / (a B(a, b)) times the sum of (a + b)_n / (a + 1)_n x^n.
Big exact_inc_beta(const Big& a, const Big& b, const Big& x) {
  if (x.to_double() > 0.5) return Big(1.0) - exact_inc_beta(b, a, Big(1.0) - x);
  Big term(1.0);
  Big total(1.0);
  for (int n = 0; n < 1500; ++n) {
    const Big k(static_cast<double>(n));
    term = term * (a + b + k) / (a + Big(1.0) + k) * x;
    total = total + term;
  }
  const Big log_beta = big_log_gamma(a) + big_log_gamma(b) - big_log_gamma(a + b);
  const Big front = a * big_log(x) + b * big_log(Big(1.0) - x) - log_beta;
  return big_exp(front) / a * total;
}

// The tail beyond |t| is half the regularised incomplete beta function at nu / (nu + t^2).
Big exact_student_t(const Big& nu, const Big& t) {
  const Big half = nu / Big(2.0);
  const Big x = nu / (nu + t * t);
  const Big tail = exact_inc_beta(half, Big(0.5), x) / Big(2.0);
  return t.to_double() < 0 ? tail : Big(1.0) - tail;
}

void expect_near(double found, double expected, const std::string& what) {
  EXPECT_NEAR(found, expected, 2e-12 * (1.0 + std::fabs(expected))) << what;
}

TEST(IncompleteFunctions, GammaTailsAndSlopesAreThoseOfTheSeries) {
  for (const double a : {0.05, 0.5, 1.0, 3.7, 12.0, 80.0}) {
    for (const double x : {0.001, 0.3, 1.0, 4.0, 13.5, 95.0}) {
      const auto log_p = [&](const Big& shape, const Big& at) {
        return big_log(exact_gamma_p(shape, at));
      };
      const auto log_q = [&](const Big& shape, const Big& at) {
        return big_log(Big(1.0) - exact_gamma_p(shape, at));
      };
      const LogTails found = log_incomplete_gamma(a, x);
      const std::string what = "a " + std::to_string(a) + " x " + std::to_string(x);
      expect_near(found.lower, log_p(a, x).to_double(), what + " lower");
      expect_near(found.upper, log_q(a, x).to_double(), what + " upper");
      expect_near(found.lower_by_a, big_slope([&](const Big& s) { return log_p(s, x); }, a),
                  what + " lower by a");
      expect_near(found.upper_by_a, big_slope([&](const Big& s) { return log_q(s, x); }, a),
                  what + " upper by a");
      expect_near(found.lower_by_x, big_slope([&](const Big& s) { return log_p(a, s); }, x),
                  what + " lower by x");
      expect_near(found.upper_by_x, big_slope([&](const Big& s) { return log_q(a, s); }, x),
                  what + " upper by x");
    }
  }
}

TEST(IncompleteFunctions, BetaSharesAndSlopesAreThoseOfTheSeries) {
  for (const double a : {0.2, 1.0, 4.5, 30.0}) {
    for (const double b : {0.3, 1.0, 7.0, 50.0}) {
      for (const double x : {0.01, 0.3, 0.5, 0.8}) {
        const auto log_i = [](const Big& p, const Big& q, const Big& at) {
          return big_log(exact_inc_beta(p, q, at));
        };
        const LogBeta found = log_incomplete_beta(a, b, x);
        const std::string what =
            std::to_string(a) + " " + std::to_string(b) + " " + std::to_string(x);
        expect_near(found.value, log_i(a, b, x).to_double(), what);
        expect_near(found.by[0], big_slope([&](const Big& s) { return log_i(s, b, x); }, a),
                    what + " by a");
        expect_near(found.by[1], big_slope([&](const Big& s) { return log_i(a, s, x); }, b),
                    what + " by b");
        expect_near(found.by[2], big_slope([&](const Big& s) { return log_i(a, b, s); }, x),
                    what + " by x");
      }
    }
  }
}

TEST(IncompleteFunctions, StudentTAndItsSlopesAreThoseOfTheBetaFunction) {
  for (const double nu : {0.7, 3.0, 25.0}) {
    for (const double t : {-20.0, -2.0, -0.4, 0.3, 1.7, 6.0}) {
      const auto log_cdf = [](const Big& shape, const Big& at) {
        return big_log(exact_student_t(shape, at));
      };
      const LogStudent found = log_student_t_cdf(nu, t);
      const std::string what = std::to_string(nu) + " " + std::to_string(t);
      expect_near(found.value, log_cdf(nu, t).to_double(), what);
      expect_near(found.by_nu, big_slope([&](const Big& s) { return log_cdf(s, t); }, nu), what);
      expect_near(found.by_t, big_slope([&](const Big& s) { return log_cdf(nu, s); }, t), what);
    }
  }
  // At the centre the probability is one half for any nu.
  EXPECT_EQ(log_student_t_cdf(3.0, 0.0).value, -std::numbers::ln2);
  EXPECT_EQ(log_student_t_cdf(3.0, 0.0).by_nu, 0.0);
  EXPECT_NEAR(log_student_t_cdf(3.0, 0.0).by_t, log_student_t_cdf(3.0, 1e-9).by_t, 1e-8);
}

TEST(IncompleteFunctions, OwensTHasItsKnownValuesAndSlopes) {
  // T(h, 1) = Phi(h) (1 - Phi(h)) / 2 and T(0, a) = atan(a) / (2 pi).
  const double phi = 0.5 * std::erfc(-0.7 / std::numbers::sqrt2);
  EXPECT_NEAR(owens_t(0.7, 1.0).value, 0.5 * phi * (1.0 - phi), 1e-15);
  EXPECT_NEAR(owens_t(0.0, 2.5).value, std::atan(2.5) / (2.0 * std::numbers::pi), 1e-15);
  const double h = 1e-5;
  const OwensT at = owens_t(0.7, -1.3);
  EXPECT_NEAR(at.by_h, (owens_t(0.7 + h, -1.3).value - owens_t(0.7 - h, -1.3).value) / (2 * h),
              1e-10);
  EXPECT_NEAR(at.by_a, (owens_t(0.7, -1.3 + h).value - owens_t(0.7, -1.3 - h).value) / (2 * h),
              1e-10);
}

TEST(IncompleteFunctions, LargeShapesEndAndKeepTheirDigits) {
  // A gamma variable of large shape is nearly normal: P(a, a) is slightly above one half.
  for (const double a : {1e3, 1e5, 1e7}) {
    EXPECT_NEAR(std::exp(log_incomplete_gamma(a, a).lower),
                0.5 + 1.0 / (3.0 * std::sqrt(2.0 * std::numbers::pi * a)), 1e-2 / a);
    EXPECT_NEAR(std::exp(log_incomplete_beta(a, a, 0.5).value), 0.5, 1e-9);
  }
}

TEST(IncompleteFunctions, EdgesGiveCertaintyOrNanAndNeverThrow) {
  EXPECT_EQ(log_incomplete_gamma(2.0, 0.0).lower, -kInfinity);
  EXPECT_EQ(log_incomplete_gamma(2.0, 0.0).upper, 0.0);
  EXPECT_EQ(log_incomplete_gamma(2.0, kInfinity).lower, 0.0);
  EXPECT_EQ(log_incomplete_beta(2.0, 3.0, 0.0).value, -kInfinity);
  EXPECT_EQ(log_incomplete_beta(2.0, 3.0, 1.0).value, 0.0);
  EXPECT_EQ(log_student_t_cdf(3.0, -kInfinity).value, -kInfinity);
  EXPECT_EQ(log_student_t_cdf(3.0, kInfinity).value, 0.0);
  EXPECT_TRUE(std::isnan(log_incomplete_gamma(-1.0, 1.0).lower));
  EXPECT_TRUE(std::isnan(log_incomplete_gamma(1.0, -1.0).upper));
  EXPECT_TRUE(std::isnan(log_incomplete_beta(1.0, 1.0, 1.5).value));
  EXPECT_TRUE(std::isnan(log_student_t_cdf(0.0, 1.0).value));
  EXPECT_TRUE(std::isnan(owens_t(std::nan(""), 1.0).value));
}

}  // namespace
}  // namespace dpvi
