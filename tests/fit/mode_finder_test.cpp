#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include <dpvi/fit/numerics/mode_finder.hpp>

namespace dpvi {
namespace {

// A quadratic around (3, -2) with curvatures 1e6 and 1e-2.
double badly_scaled(std::span<const double> at, std::span<double> gradient) {
  gradient[0] = -1e6 * (at[0] - 3.0) + 1e-3 * (at[1] + 2.0);
  gradient[1] = -1e-2 * (at[1] + 2.0) + 1e-3 * (at[0] - 3.0);
  return -0.5e6 * std::pow(at[0] - 3.0, 2) - 0.5e-2 * std::pow(at[1] + 2.0, 2) +
         1e-3 * (at[0] - 3.0) * (at[1] + 2.0);
}

// The negative of Rosenbrock's function.
double valley(std::span<const double> at, std::span<double> gradient) {
  const double bend = at[1] - at[0] * at[0];
  gradient[0] = 2.0 * (1.0 - at[0]) + 400.0 * at[0] * bend;
  gradient[1] = -200.0 * bend;
  return -std::pow(1.0 - at[0], 2) - 100.0 * bend * bend;
}

// Log density of gamma(3, 2), which is -infinity below zero.
double gamma_density(std::span<const double> at, std::span<double> gradient) {
  if (at[0] <= 0.0) {
    gradient[0] = 0.0;
    return -std::numeric_limits<double>::infinity();
  }
  gradient[0] = 2.0 / at[0] - 2.0;
  return 2.0 * std::log(at[0]) - 2.0 * at[0];
}

TEST(ModeFinder, FindsTheTopOfABadlyScaledQuadratic) {
  const Mode mode = find_mode(badly_scaled, std::vector<double>{0.0, 0.0});
  EXPECT_TRUE(mode.converged);
  EXPECT_NEAR(mode.theta[0], 3.0, 1e-6);
  EXPECT_NEAR(mode.theta[1], -2.0, 0.01);  // a thousandth of its standard deviation
  EXPECT_NEAR(mode.precision[0], 1e6, 1.0);
}

TEST(ModeFinder, FollowsAValleyThatIsNotConcave) {
  const Mode mode = find_mode(valley, std::vector<double>{-1.2, 1.0});
  EXPECT_TRUE(mode.converged);
  EXPECT_NEAR(mode.theta[0], 1.0, 1e-3);
  EXPECT_NEAR(mode.theta[1], 1.0, 1e-3);
}

TEST(ModeFinder, StaysInsideTheDomain) {
  const Mode mode = find_mode(gamma_density, std::vector<double>{0.01});
  EXPECT_NEAR(mode.theta[0], 1.0, 1e-4);
  EXPECT_NEAR(mode.precision[0], 2.0, 1e-3);
}

TEST(ModeFinder, GivesAnAnswerWhereThereIsNoTop) {
  const auto slope = [](std::span<const double> at, std::span<double> gradient) {
    gradient[0] = 1.0;
    return at[0];
  };
  const Mode mode = find_mode(slope, std::vector<double>{0.0});
  EXPECT_TRUE(std::isfinite(mode.theta[0]));
  EXPECT_GT(mode.precision[0], 0.0);
}

TEST(ModeFinder, PrecisionIsPositiveDefiniteEvenAtASaddle) {
  const auto saddle = [](std::span<const double> at, std::span<double> gradient) {
    gradient[0] = -2.0 * at[0];
    gradient[1] = 2.0 * at[1];
    return -at[0] * at[0] + at[1] * at[1];
  };
  const Mode mode = find_mode(saddle, std::vector<double>{0.0, 0.0});
  EXPECT_GT(mode.precision[0] * mode.precision[3] - mode.precision[1] * mode.precision[2], 0.0);
}

TEST(MinusHessian, IsTheMatrixOfSecondDerivatives) {
  const std::vector<double> found = minus_hessian(valley, std::vector<double>{0.5, 0.0});
  EXPECT_NEAR(found[0], 2.0 + 1200.0 * 0.25 - 0.0, 1e-3);
  EXPECT_NEAR(found[1], -400.0 * 0.5, 1e-3);
  EXPECT_NEAR(found[2], -400.0 * 0.5, 1e-3);
  EXPECT_NEAR(found[3], 200.0, 1e-3);
}

TEST(SumOfFunctions, AddsValuesAndGradients) {
  const ValueAndGradientFunction twice = sum_of(valley, valley);
  std::vector<double> one(2), two(2);
  const std::vector<double> at = {0.3, -0.7};
  EXPECT_EQ(twice(at, two), 2.0 * valley(at, one));
  EXPECT_EQ(two[0], 2.0 * one[0]);
  EXPECT_EQ(two[1], 2.0 * one[1]);
}

}  // namespace
}  // namespace dpvi
