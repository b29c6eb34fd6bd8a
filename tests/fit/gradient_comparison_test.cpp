#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include <dpvi/fit/check/gradient_comparison.hpp>

namespace dpvi {
namespace {

double curved(double x) { return 1e3 + std::exp(3 * x) - 40 * x * x; }

TEST(SlopeAgrees, AcceptsTheDerivative) {
  EXPECT_EQ(slope_agrees(curved, 3), true);
  EXPECT_EQ(slope_agrees([](double x) { return 1e6 * (1 + x); }, 1e6), true);
}

TEST(SlopeAgrees, RefusesASlopeThatIsOffByAThousandth) {
  EXPECT_EQ(slope_agrees(curved, 3.003), false);
  EXPECT_EQ(slope_agrees(curved, 0), false);
  EXPECT_EQ(slope_agrees(curved, -3), false);
}

TEST(SlopeAgrees, RefusesASlopeThatIsNoNumber) {
  EXPECT_EQ(slope_agrees(curved, std::numeric_limits<double>::quiet_NaN()), false);
}

TEST(SlopeAgrees, AcceptsEitherSideOfAKink) {
  const auto kink = [](double x) { return std::abs(x + 5e-5); };
  EXPECT_EQ(slope_agrees(kink, 1), true);
}

TEST(SlopeAgrees, SaysNothingWhereTheFunctionIsNotFinite) {
  EXPECT_EQ(slope_agrees([](double x) { return std::log(x); }, 1), std::nullopt);
}

TEST(GradientTest, OneDisagreementMayBeAKinkAndTwoAreAMistake) {
  EXPECT_TRUE((GradientTest{30, 1}.passed()));
  EXPECT_FALSE((GradientTest{30, 2}.passed()));
}

}  // namespace
}  // namespace dpvi
