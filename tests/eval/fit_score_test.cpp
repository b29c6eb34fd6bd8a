#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include <dpvi/eval/fit_score.hpp>

namespace dpvi {
namespace {

TEST(FitScore, IsWhatIsCountedByHand) {
  // Errors 1, -1 and 3; intervals of width 4, 2 and 3; the last one misses.
  const std::vector<NumberEstimate> estimates = {{.truth = 0.0,
                                                  .mean = 1.0,
                                                  .sd = 1.0,
                                                  .q5 = -1.0,
                                                  .q95 = 3.0,
                                                  .sd_model = 0.6,
                                                  .sd_privacy = 0.8},
                                                 {.truth = 2.0,
                                                  .mean = 1.0,
                                                  .sd = 0.5,
                                                  .q5 = 0.0,
                                                  .q95 = 2.0,
                                                  .sd_model = 0.3,
                                                  .sd_privacy = 0.4},
                                                 {.truth = 0.0,
                                                  .mean = 3.0,
                                                  .sd = 0.7,
                                                  .q5 = 1.5,
                                                  .q95 = 4.5,
                                                  .sd_model = 0.5,
                                                  .sd_privacy = 0.5}};
  const FitScore score = score_of(estimates, 2.0, 6.0);
  EXPECT_EQ(score.fits, 3u);
  EXPECT_NEAR(score.bias, 1.0, 1e-12);
  EXPECT_NEAR(score.bias_se, 2.0 / std::sqrt(3.0), 1e-12);  // the errors have sd 2
  EXPECT_NEAR(score.rmse, std::sqrt(11.0 / 3.0), 1e-12);
  EXPECT_NEAR(score.coverage, 2.0 / 3.0, 1e-12);
  EXPECT_NEAR(score.coverage_se, std::sqrt(0.6 * 0.4 / 3.0), 1e-12);
  EXPECT_EQ(score.width, 3.0);
  EXPECT_EQ(score.sd_model, 0.5);
  EXPECT_EQ(score.sd_privacy, 0.5);
  EXPECT_EQ(score.width_of_prior, 0.5);
  EXPECT_NEAR(score.prior_share, 0.49 / 4.0, 1e-12);
}

TEST(FitScore, WithoutAProperPriorThereIsNoShareOfIt) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const std::vector<NumberEstimate> one = {{.truth = 0.0, .q5 = -1.0, .q95 = 1.0}};
  EXPECT_TRUE(std::isnan(score_of(one, kInfinity, kInfinity).width_of_prior));
  EXPECT_TRUE(std::isnan(score_of(one, kInfinity, kInfinity).prior_share));
  EXPECT_TRUE(std::isnan(score_of({}, 1.0, 1.0).coverage));
}

TEST(FitScore, AnIntervalThatIsNotFiniteDoesNotCover) {
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  const std::vector<NumberEstimate> estimates = {
      {.truth = 0.0, .mean = kNaN, .q5 = kNaN, .q95 = kNaN},
      {.truth = 0.0, .mean = 0.5, .q5 = -1.0, .q95 = 1.0}};
  const FitScore score = score_of(estimates, 1.0, 1.0);
  EXPECT_EQ(score.coverage, 0.5);
  EXPECT_EQ(score.bias, 0.5);
  EXPECT_EQ(score.width, 2.0);
}

}  // namespace
}  // namespace dpvi
