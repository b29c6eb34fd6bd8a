#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include <dpvi/fit/train/location_uncertainty.hpp>

namespace dpvi {
namespace {

FitTrace trace_with(std::vector<double> scatter,
                    Optimisation optimisation = Optimisation::stationary) {
  return {.optimisation = optimisation,
          .r_hat = {},
          .effective_size = {},
          .mean_sd = std::move(scatter),
          .drift = {}};
}

LoopOutcome outcome_with(std::vector<double> factor, std::vector<double> sds) {
  return {.parameters = {},
          .locations = IterateTrace(10, 1.0, 2),
          .location_factor = std::move(factor),
          .location_sds = std::move(sds),
          .samples = {}};
}

TEST(LocationUncertainty, TheRegressionReplacesTheScatter) {
  const LocationNoise noise =
      location_uncertainty(outcome_with({0.3, 0.0, 0.4, 0.3}, {}), trace_with({9.0, 9.0}));
  EXPECT_EQ(noise.factor().size(), 4U);
  EXPECT_DOUBLE_EQ(noise.standard_deviations()[1], 0.5);
}

TEST(LocationUncertainty, WithoutARegressionTheLargerEstimateCounts) {
  const LocationNoise noise =
      location_uncertainty(outcome_with({}, {0.2, 0.1}), trace_with({0.1, 0.3}));
  EXPECT_EQ(noise.standard_deviations(), (std::vector<double>{0.2, 0.3}));
}

TEST(LocationUncertainty, AnUnknownScatterLeavesTheOtherEstimate) {
  const LocationNoise noise =
      location_uncertainty(outcome_with({}, {0.2, 0.1}), trace_with({std::nan(""), 0.3}));
  EXPECT_EQ(noise.standard_deviations(), (std::vector<double>{0.2, 0.3}));
}

TEST(LocationUncertainty, ADivergedRunHasItsScatterAlone) {
  const LocationNoise noise = location_uncertainty(
      outcome_with({0.3, 0.0, 0.4, 0.3}, {}),
      trace_with({std::numeric_limits<double>::infinity(), 2.0}, Optimisation::diverged));
  EXPECT_TRUE(noise.factor().empty());
  EXPECT_EQ(noise.standard_deviations(), (std::vector<double>{0.0, 2.0}));
}

}  // namespace
}  // namespace dpvi
