#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include <dpvi/optim/distance_scaled_steps.hpp>

namespace dpvi {
namespace {

TEST(DistanceScaledSteps, StayAsTheyAreWithinOneUnitOfTheStart) {
  DistanceScaledSteps steps(std::vector<double>{5.0, -2.0});
  std::vector<double> after = {5.9, -2.4, 7.0};
  steps.lengthen(std::vector<double>{5.8, -2.5, 6.0}, after);
  EXPECT_EQ(after, (std::vector<double>{5.9, -2.4, 7.0}));
}

TEST(DistanceScaledSteps, AreAsManyTimesLongerAsTheWayFromTheStartIsUnits) {
  DistanceScaledSteps steps(std::vector<double>{1.0, 0.0});
  std::vector<double> after = {4.25, -0.5};
  steps.lengthen(std::vector<double>{4.0, -0.25}, after);
  EXPECT_DOUBLE_EQ(after[0], 4.0 + 3.0 * 0.25);
  EXPECT_DOUBLE_EQ(after[1], -0.5);
}

// Guarantee: step lengths are a function of iterates alone, which follow from releases. Two runs
// through the same iterates lengthen by the same factor, whatever steps were proposed before.
TEST(DistanceScaledSteps, AreAFunctionOfIteratesAlone) {
  DistanceScaledSteps one(std::vector<double>{0.0});
  DistanceScaledSteps other(std::vector<double>{0.0});
  for (const double at : {0.5, 2.0, 8.0, -4.0, 1.0}) {
    std::vector<double> near = {at + 0.25};
    std::vector<double> far = {at - 64.0};
    one.lengthen(std::vector<double>{at}, near);
    other.lengthen(std::vector<double>{at}, far);
    EXPECT_DOUBLE_EQ((near[0] - at) / 0.25, (far[0] - at) / -64.0) << at;
  }
}

TEST(DistanceScaledSteps, StayLongOnTheWayBack) {
  DistanceScaledSteps steps(std::vector<double>{0.0});
  std::vector<double> after = {3.5};
  steps.lengthen(std::vector<double>{4.0}, after);
  EXPECT_DOUBLE_EQ(after[0], 2.0);
  after = {0.25};
  steps.lengthen(std::vector<double>{0.5}, after);
  EXPECT_DOUBLE_EQ(after[0], 0.5 - 4.0 * 0.25);
}

TEST(DistanceScaledSteps, LeaveWhatComesBehindTheFirstParametersAlone) {
  DistanceScaledSteps steps(std::vector<double>{0.0});
  std::vector<double> after = {9.0, 90.0};
  steps.lengthen(std::vector<double>{8.0, 80.0}, after);
  EXPECT_DOUBLE_EQ(after[1], 90.0);
}

// With steps of 1 / sqrt(1000), pure noise travels about one unit, as it does without lengthening.
// If all steps point the same way, 1000 of them reach any distance.
TEST(DistanceScaledSteps, ReachWhatIsFarWithoutWanderingFurtherInNoise) {
  constexpr int kSteps = 1000, kWalks = 400;
  const double size = 1.0 / std::sqrt(kSteps);
  std::mt19937 generator(7);
  std::normal_distribution<double> normal;
  double square = 0.0;
  for (int walk = 0; walk < kWalks; ++walk) {
    DistanceScaledSteps steps(std::vector<double>{0.0});
    std::vector<double> at = {0.0};
    for (int t = 0; t < kSteps; ++t) {
      const std::vector<double> before = at;
      at[0] += size * normal(generator);
      steps.lengthen(before, at);
    }
    square += std::min(at[0] * at[0], 100.0) / kWalks;
  }
  EXPECT_LT(std::sqrt(square), 1.6);
  DistanceScaledSteps steps(std::vector<double>{0.0});
  std::vector<double> at = {0.0};
  for (int t = 0; t < kSteps / 3; ++t) {
    const std::vector<double> before = at;
    at[0] += size;
    steps.lengthen(before, at);
  }
  EXPECT_GT(at[0], 1000.0);
}

TEST(DistanceScaledSteps, NeverBecomeInfinite) {
  DistanceScaledSteps steps(std::vector<double>{0.0});
  std::vector<double> after = {2e200};
  steps.lengthen(std::vector<double>{1e200}, after);
  EXPECT_DOUBLE_EQ(after[0], 1e200 + 1e206);
}

}  // namespace
}  // namespace dpvi
