#include <gtest/gtest.h>

#include <vector>

#include <dpvi/base/error.hpp>
#include <dpvi/fit/train/private_step.hpp>
#include <tests/support/attacked_loop.hpp>

namespace dpvi {
namespace {

LoopPhase all_records(std::int64_t integer_bound, std::int64_t steps) {
  return {.sampling_rate = SamplingRate::from_double(1.0),
          .grid = NoiseGrid::with_integer_bound(integer_bound),
          .steps = steps};
}

// Takes steps of a run that departs from its plan. Returns how many there were before a refusal.
int steps_taken(const std::vector<LoopPhase>& planned, const std::vector<LoopPhase>& taken) {
  const AttackedLoop loop(2);
  const RecordTable table = loop.table(Gradients(3, {1.0, -0.5}));
  RecordGradients gradients(*loop.model().tape, table, 1);
  LoopPlan plan = AttackedLoop::plan_of({});
  plan.phases = planned;
  const Coordinates coordinates = Coordinates::identity(2);
  PrivateStep step(plan, gradients, coordinates, {});
  const std::vector<double> theta(2, 0.0);
  int count = 0;
  try {
    for (const LoopPhase& phase : taken) {
      step.start(phase);
      for (std::int64_t i = 0; i < phase.steps; ++i) {
        step.take(0, [&](std::span<const double>) { return StepPoint{.theta = theta}; });
        ++count;
      }
    }
  } catch (const InternalError&) {
    return count;
  }
  return count;
}

// Guarantee: the sum of D^2 over all releases never exceeds the total that was allowed before the
// first one.
// The production step takes other releases than its plan has. It goes on as long as their squares
// stay within those of the plan, to the last unit, and never gets anything back.
TEST(MuFilter, NoReleaseExceedsTheTotalOfThePlan) {
  EXPECT_EQ(steps_taken({all_records(1000, 3)}, {all_records(1000, 9)}), 3);
  EXPECT_EQ(steps_taken({all_records(1000, 1), all_records(2000, 2)}, {all_records(3000, 2)}), 1);
  // 5^2 = 3^2 + 4^2.
  EXPECT_EQ(steps_taken({all_records(3000, 1), all_records(4000, 1)}, {all_records(5000, 2)}), 1);
  EXPECT_EQ(steps_taken({all_records(5000, 1)}, {all_records(3000, 1), all_records(4000, 2)}), 2);
  EXPECT_EQ(steps_taken({all_records(5000, 1)}, {all_records(5001, 1)}), 0);
  EXPECT_EQ(steps_taken({all_records(1, 1)}, {all_records(1, 2)}), 1);
  // Large bounds do not wrap around.
  EXPECT_EQ(
      steps_taken({all_records(std::int64_t{1} << 26, 5)}, {all_records(std::int64_t{1} << 26, 6)}),
      5);
}

// With less noise than planned in one release, all others together must have more.
TEST(MuFilter, AllowsAdaptiveNoiseWithinTheTotal) {
  EXPECT_EQ(steps_taken({all_records(1000, 4)}, {all_records(1732, 1), all_records(1000, 1)}), 2);
  EXPECT_EQ(steps_taken({all_records(1000, 4)}, {all_records(1733, 1), all_records(1000, 1)}), 1);
}

TEST(MuFilter, IsNotRaisedAfterTheFirstRelease) {
  MuFilter filter;
  const NoiseGrid grid = NoiseGrid::with_integer_bound(7);
  filter.allow(grid, 2);
  filter.spend(grid);
  EXPECT_THROW(filter.allow(grid, 1), InternalError);
  EXPECT_NO_THROW(filter.spend(grid));
  EXPECT_THROW(filter.spend(grid), InternalError);
}

}  // namespace
}  // namespace dpvi
