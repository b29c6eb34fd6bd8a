#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include <dpvi/tape/math/beta_compound_cdfs.hpp>
#include <tests/tape/function_oracle.hpp>

namespace dpvi {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Big log_beta_of(const Big& a, const Big& b) {
  return big_log_gamma(a) + big_log_gamma(b) - big_log_gamma(a + b);
}

// The log of the sum over counts up to n, in 400 bits.
Big log_sum(double n, const std::function<Big(const Big&)>& log_probability) {
  Big total(0.0);
  for (double k = 0.0; k <= n; ++k) total = total + big_exp(log_probability(Big(k)));
  return big_log(total);
}

Big beta_binomial(double n, double trials, const Big& a, const Big& b) {
  const Big all(trials);
  return log_sum(n, [&](const Big& k) {
    const Big choose = big_log_gamma(all + Big(1.0)) - big_log_gamma(k + Big(1.0)) -
                       big_log_gamma(all - k + Big(1.0));
    return choose + log_beta_of(k + a, all - k + b) - log_beta_of(a, b);
  });
}

Big beta_neg_binomial(double n, const Big& r, const Big& a, const Big& b) {
  return log_sum(n, [&](const Big& k) {
    const Big rising = big_log_gamma(k + b) - big_log_gamma(k + Big(1.0)) - big_log_gamma(b);
    return rising + log_beta_of(k + r, a + b) - log_beta_of(r, a);
  });
}

void expect_near(double found, double expected, const std::string& what) {
  EXPECT_NEAR(found, expected, 1e-11 * (1.0 + std::fabs(expected))) << what;
}

TEST(CompoundCounts, BetaBinomialSharesAndSlopesAreThoseOfTheSum) {
  for (const double a : {0.2, 6.5}) {
    for (const double b : {0.3, 40.0}) {
      for (const double n : {0.0, 7.0, 29.0}) {
        const double trials = 30.0;
        const LogCdf found = log_beta_binomial_cdf(n, trials, a, b);
        const std::string what =
            std::to_string(n) + " " + std::to_string(a) + " " + std::to_string(b);
        expect_near(found.value, beta_binomial(n, trials, a, b).to_double(), what);
        EXPECT_EQ(found.by[0], 0.0);
        expect_near(found.by[1],
                    big_slope([&](const Big& s) { return beta_binomial(n, trials, s, b); }, a),
                    what);
        expect_near(found.by[2],
                    big_slope([&](const Big& s) { return beta_binomial(n, trials, a, s); }, b),
                    what);
      }
    }
  }
}

TEST(CompoundCounts, BetaNegBinomialSharesAndSlopesAreThoseOfTheSum) {
  for (const double r : {0.4, 5.0}) {
    for (const double a : {0.7, 12.0}) {
      for (const double b : {0.3, 20.0}) {
        for (const double n : {0.0, 3.0, 20.0}) {
          const LogCdf found = log_beta_neg_binomial_cdf(n, r, a, b);
          const std::string what = std::to_string(n) + " " + std::to_string(r) + " " +
                                   std::to_string(a) + " " + std::to_string(b);
          expect_near(found.value, beta_neg_binomial(n, r, a, b).to_double(), what);
          expect_near(found.by[0],
                      big_slope([&](const Big& s) { return beta_neg_binomial(n, s, a, b); }, r),
                      what);
          expect_near(found.by[1],
                      big_slope([&](const Big& s) { return beta_neg_binomial(n, r, s, b); }, a),
                      what);
          expect_near(found.by[2],
                      big_slope([&](const Big& s) { return beta_neg_binomial(n, r, a, s); }, b),
                      what);
        }
      }
    }
  }
}

TEST(CompoundCounts, SumsBeyondADoublesRangeKeepTheirValue) {
  // The mean is 10, and 2000 is less likely by more than a factor e^1000.
  EXPECT_NEAR(log_beta_neg_binomial_cdf(2000.0, 1e3, 1e5, 1e3).value, 0.0, 1e-8);
  EXPECT_NEAR(log_beta_binomial_cdf(50'000.0, 100'000.0, 1.0, 1.0).value,
              std::log(50'001.0 / 100'001.0), 1e-9);
}

TEST(CompoundCounts, EdgesGiveCertaintyOrNanAndNeverThrow) {
  EXPECT_EQ(log_beta_binomial_cdf(5.0, 5.0, 1.0, 2.0).value, 0.0);
  EXPECT_EQ(log_beta_binomial_cdf(0.0, 0.0, 1.0, 2.0).value, 0.0);
  EXPECT_TRUE(std::isnan(log_beta_binomial_cdf(-1.0, 5.0, 1.0, 2.0).value));
  EXPECT_TRUE(std::isnan(log_beta_binomial_cdf(6.0, 5.0, 1.0, 2.0).value));
  EXPECT_TRUE(std::isnan(log_beta_binomial_cdf(2.0, 5.0, 0.0, 2.0).value));
  EXPECT_TRUE(std::isnan(log_beta_binomial_cdf(2.0, 5.0, 1.0, kInfinity).value));
  EXPECT_TRUE(std::isnan(log_beta_binomial_cdf(2.0, 1e9, 1.0, 2.0).value));
  EXPECT_TRUE(std::isnan(log_beta_neg_binomial_cdf(-1.0, 1.0, 1.0, 2.0).value));
  EXPECT_TRUE(std::isnan(log_beta_neg_binomial_cdf(1e9, 1.0, 1.0, 2.0).value));
  EXPECT_TRUE(std::isnan(log_beta_neg_binomial_cdf(1.0, std::nan(""), 1.0, 2.0).value));
}

}  // namespace
}  // namespace dpvi
