#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include <dpvi/optim/langevin.hpp>
#include <dpvi/optim/step_schedule.hpp>
#include <tests/support/some_direction.hpp>

namespace dpvi {
namespace {

TEST(LangevinSteps, MoveByTheStepSizeTimesTheGradient) {
  LangevinSteps steps(10.0, 2);
  std::vector<double> x = {1.0, -2.0, 5.0};
  steps.step(direction({3.0, 4.0, 0.0}), 0.1, x);
  EXPECT_NEAR(x[0], 1.3, 1e-15);
  EXPECT_NEAR(x[1], -1.6, 1e-15);
  EXPECT_EQ(x[2], 5.0);
}

TEST(LangevinSteps, BringThetaBackIntoTheBallAndNothingElse) {
  LangevinSteps steps(4.0, 2);
  std::vector<double> x = {0.0, 0.0, 9.0};
  steps.step(direction({30.0, -40.0, 0.0}), 1.0, x);
  EXPECT_NEAR(x[0], 2.4, 1e-15);
  EXPECT_NEAR(x[1], -3.2, 1e-15);
  EXPECT_EQ(x[2], 9.0);
}

// A step of that size multiplies all noise in the gradient. Together the two noises have the
// variance of Wang, Fienberg & Smola (2015): the larger of size^2 * variance and size.
TEST(LangevinNoise, FillsUpToTheStepSizeAndNeverTakesAway) {
  for (const double size : {0.1, 0.5, 1.0}) {
    for (const double variance : {0.0, 0.5, 3.0, 1e6}) {
      const double added = additional_langevin_noise(size, variance);
      EXPECT_NEAR(size * size * (variance + added * added), std::max(size * size * variance, size),
                  1e-9 * size * size * (variance + 1.0));
    }
  }
}

TEST(StepSchedule, HarmonicStepsFallToATenth) {
  const StepSchedule schedule(ScheduleKind::harmonic, 2.0, 50);
  EXPECT_DOUBLE_EQ(schedule.step_size(0), 2.0);
  EXPECT_DOUBLE_EQ(schedule.step_size(3), 0.5);
  EXPECT_DOUBLE_EQ(schedule.step_size(9), 0.2);
  EXPECT_DOUBLE_EQ(schedule.step_size(49), 0.2);
}

}  // namespace
}  // namespace dpvi
