#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include <dpvi/tape/math/special_functions.hpp>
#include <dpvi/tape/math/von_mises.hpp>

namespace dpvi {
namespace {

constexpr double kPi = std::numbers::pi;

double density(double x, double kappa) {
  return std::exp(kappa * std::cos(x) - log_bessel_i0(kappa)) / (2.0 * kPi);
}

// Simpson's rule from -pi to x.
double integral(double x, double kappa) {
  constexpr int kPanels = 20'000;
  const double h = (x + kPi) / kPanels;
  double total = density(-kPi, kappa) + density(x, kappa);
  for (int i = 1; i < kPanels; ++i)
    total += (i % 2 == 0 ? 2.0 : 4.0) * density(-kPi + i * h, kappa);
  return total * h / 3.0;
}

TEST(VonMises, BelowFiftySharesAndSlopesAreThoseOfTheIntegral) {
  for (const double kappa : {0.05, 1.4, 9.0, 48.0}) {
    for (const double x : {-3.0, -0.8, 0.0, 0.3, 2.9}) {
      const VonMises found = von_mises_cdf(x, kappa);
      EXPECT_NEAR(found.value, integral(x, kappa), 1e-11) << x << " " << kappa;
      EXPECT_NEAR(found.by_x, density(x, kappa), 1e-11) << x << " " << kappa;
      const double h = 1e-4 * kappa;
      const double difference = (integral(x, kappa + h) - integral(x, kappa - h)) / (2.0 * h);
      EXPECT_NEAR(found.by_kappa, difference, 1e-8) << x << " " << kappa;
    }
  }
}

TEST(VonMises, FromFiftyOnSlopesAreThoseOfTheNormalApproximation) {
  for (const double kappa : {49.3, 60.0, 2000.0}) {
    for (const double x : {-0.4, 0.05, 0.3}) {
      const VonMises found = von_mises_cdf(x, kappa);
      EXPECT_NEAR(found.value, integral(x, kappa), 1e-3) << x << " " << kappa;
      const double h = 1e-6;
      const auto slope = [&](double by_x, double by_kappa) {
        return (von_mises_cdf(x + by_x * h, kappa + by_kappa * h).value -
                von_mises_cdf(x - by_x * h, kappa - by_kappa * h).value) /
               (2.0 * h);
      };
      EXPECT_NEAR(found.by_x, slope(1.0, 0.0), 1e-7 * (1.0 + std::fabs(found.by_x)));
      EXPECT_NEAR(found.by_kappa, slope(0.0, 1.0), 1e-7);
    }
  }
}

TEST(VonMises, OutsideItsDomainItIsNan) {
  EXPECT_TRUE(std::isnan(von_mises_cdf(4.0, 1.0).value));
  EXPECT_TRUE(std::isnan(von_mises_cdf(1.0, 0.0).value));
  EXPECT_TRUE(std::isnan(von_mises_cdf(1.0, -2.0).value));
  EXPECT_TRUE(std::isnan(von_mises_cdf(std::nan(""), 2.0).value));
}

}  // namespace
}  // namespace dpvi
