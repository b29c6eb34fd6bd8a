#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include <dpvi/tape/math/bessel_functions.hpp>

namespace dpvi {
namespace {

using Function = ValueAndSlope (*)(double, double);
constexpr Function kFunctions[] = {bessel_j, bessel_y, bessel_i, bessel_k, log_bessel_i};

// Orders of one half have closed forms (Abramowitz and Stegun 10.1.11, 10.2.13, 10.2.17).
TEST(BesselFunctions, OrdersOfOneHalfAreElementary) {
  for (const double x : {0.1, 0.9, 3.0, 12.5}) {
    const double root = std::sqrt(2.0 / (std::numbers::pi * x));
    EXPECT_NEAR(bessel_j(0.5, x).value, root * std::sin(x), 1e-14);
    EXPECT_NEAR(bessel_y(0.5, x).value, -root * std::cos(x), 1e-14);
    EXPECT_NEAR(bessel_i(0.5, x).value / (root * std::sinh(x)), 1.0, 1e-13);
    EXPECT_NEAR(bessel_k(0.5, x).value / (0.5 * std::numbers::pi * root * std::exp(-x)), 1.0,
                1e-13);
    EXPECT_NEAR(log_bessel_i(0.5, x).value, std::log(root * std::sinh(x)), 1e-13);
  }
}

TEST(BesselFunctions, SlopesAgreeWithDifferences) {
  for (const Function f : kFunctions) {
    for (const double order : {0.0, 1.0, 3.0}) {
      for (const double x : {0.4, 2.5, 30.0}) {
        const double h = 1e-5;
        const double expected = (f(order, x + h).value - f(order, x - h).value) / (2 * h);
        EXPECT_NEAR(f(order, x).slope, expected, 1e-7 * (1 + std::fabs(expected)));
      }
    }
  }
}

// log I_(1/2) does not overflow: log sinh(x) equals x - log 2 from 20 on.
TEST(BesselFunctions, TheLogNeitherOverflowsNorUnderflows) {
  for (const double x : {499.0, 501.0, 5000.0, 1e8}) {
    const double expected = 0.5 * std::log(2.0 / (std::numbers::pi * x)) + x - std::numbers::ln2;
    EXPECT_NEAR(log_bessel_i(0.5, x).value / expected, 1.0, 1e-14) << x;
  }
  // One term of the series is enough for an argument this small.
  const double tiny = log_bessel_i(200.0, 1e-6).value;
  EXPECT_NEAR(tiny / (200.0 * std::log(0.5e-6) - std::lgamma(201.0)), 1.0, 1e-13);
  EXPECT_NEAR(log_bessel_i(40.0, 600.0).value - log_bessel_i(40.0, 600.0 - 1e-6).value,
              1e-6 * log_bessel_i(40.0, 600.0).slope, 1e-11);
}

TEST(BesselFunctions, LambertWInvertsItsFormula) {
  for (const double x : {-0.36, -0.1, 1e-9, 0.5, 3.0, 1e6}) {
    const ValueAndSlope w = lambert_w0(x);
    EXPECT_NEAR(w.value * std::exp(w.value), x, 1e-12 * (1 + std::fabs(x)));
    EXPECT_NEAR(w.slope * std::exp(w.value) * (1 + w.value), 1.0, 1e-12);
  }
  for (const double x : {-0.36, -0.1, -1e-9}) {
    const ValueAndSlope w = lambert_wm1(x);
    EXPECT_LE(w.value, -1.0);
    EXPECT_NEAR(w.value * std::exp(w.value), x, 1e-12);
    EXPECT_NEAR(w.slope * std::exp(w.value) * (1 + w.value), 1.0, 1e-9);
  }
}

TEST(BesselFunctions, OutsideTheirDomainsNothingThrows) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const Function f : kFunctions) {
    EXPECT_TRUE(std::isnan(f(1.0, nan).value));
    EXPECT_TRUE(std::isnan(f(nan, 1.0).value));
    EXPECT_NO_THROW(f(-1.5, -2.5));
    EXPECT_NO_THROW(f(9999.0, 1e300));
  }
  EXPECT_TRUE(std::isnan(bessel_y(0.0, -1.0).value));
  EXPECT_TRUE(std::isnan(lambert_w0(-1.0).value));
  EXPECT_TRUE(std::isnan(lambert_wm1(0.5).value));
  EXPECT_EQ(log_bessel_i(0.0, 0.0).value, 0.0);
}

}  // namespace
}  // namespace dpvi
