#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include <dpvi/eval/draw_summary.hpp>

namespace dpvi {
namespace {

// R: x <- c(3, 1, 4, 1, 5, 9, 2, 6); mean(x); sd(x); quantile(x, c(.05, .5, .95), type = 7)
TEST(DrawSummary, GivesTheNumbersOfR) {
  const DrawSummary summary = summarise_draws(std::vector<double>{3, 1, 4, 1, 5, 9, 2, 6});
  EXPECT_DOUBLE_EQ(summary.mean, 3.875);
  EXPECT_NEAR(summary.sd, 2.74837614, 1e-8);
  EXPECT_DOUBLE_EQ(summary.q5, 1.0);
  EXPECT_DOUBLE_EQ(summary.median, 3.5);
  EXPECT_NEAR(summary.q95, 7.95, 1e-12);
}

TEST(DrawSummary, QuantilesRunFromTheSmallestToTheLargest) {
  const std::vector<double> sorted = {-2.0, 0.0, 10.0};
  EXPECT_EQ(quantile(sorted, 0.0), -2.0);
  EXPECT_EQ(quantile(sorted, 1.0), 10.0);
  EXPECT_DOUBLE_EQ(quantile(sorted, 0.25), -1.0);
  EXPECT_DOUBLE_EQ(quantile(sorted, 0.75), 5.0);
}

TEST(DrawSummary, ALargeOffsetDoesNotSpoilTheSpread) {
  const DrawSummary summary = summarise_draws(std::vector<double>{1e9 + 1, 1e9 + 2, 1e9 + 3});
  EXPECT_NEAR(summary.sd, 1.0, 1e-9);
}

TEST(DrawSummary, OneDrawHasNoSpread) {
  const DrawSummary summary = summarise_draws(std::vector<double>{7.0});
  EXPECT_EQ(summary.mean, 7.0);
  EXPECT_EQ(summary.q95, 7.0);
  EXPECT_TRUE(std::isnan(summary.sd));
}

TEST(DrawSummary, NaNDrawsGiveNaNAndInfiniteOnesTheirQuantiles) {
  EXPECT_TRUE(std::isnan(summarise_draws(std::vector<double>{1.0, std::nan(""), 2.0}).median));
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const DrawSummary summary = summarise_draws(std::vector<double>{0.0, kInfinity, kInfinity});
  EXPECT_EQ(summary.median, kInfinity);
  EXPECT_EQ(summary.q95, kInfinity);
}

}  // namespace
}  // namespace dpvi
