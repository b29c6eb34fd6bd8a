#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include <dpvi/optim/adagrad.hpp>
#include <dpvi/optim/adam.hpp>
#include <dpvi/optim/gradient_ascent.hpp>
#include <dpvi/optim/step_schedule.hpp>
#include <dpvi/optim/tail_average.hpp>
#include <tests/support/some_direction.hpp>

namespace dpvi {
namespace {

TEST(Adam, FirstStepsAreThoseOfThePaper) {
  Adam adam({.first_decay = 0.9, .second_decay = 0.99, .floor = 0.0}, 1);
  std::vector<double> x = {0.0};
  adam.step(direction({2.0}), 0.1, x);
  EXPECT_NEAR(x[0], 0.1, 1e-15);
  adam.step(direction({-1.0}), 0.1, x);
  const double mean = (0.9 * 0.1 * 2.0 + 0.1 * -1.0) / (1 - 0.81);
  const double square = (0.99 * 0.01 * 4.0 + 0.01 * 1.0) / (1 - 0.99 * 0.99);
  EXPECT_NEAR(x[0], 0.1 + 0.1 * mean / std::sqrt(square), 1e-14);
}

TEST(AdaGrad, DividesByTheRootOfAllSquares) {
  AdaGrad adagrad(2);
  std::vector<double> x = {0.0, 0.0};
  adagrad.step(direction({3.0, 0.0}), 0.1, x);
  EXPECT_NEAR(x[0], 0.1, 1e-15);
  adagrad.step(direction({-4.0, 0.0}), 0.1, x);
  EXPECT_NEAR(x[0], 0.1 - 0.1 * 4.0 / 5.0, 1e-15);
  EXPECT_EQ(x[1], 0.0);  // a zero gradient gives no step
}

TEST(WindowedAdaGrad, ForgetsSquaresThatLeftTheWindow) {
  WindowedAdaGrad adagrad({.window = 2, .floor = 0.1}, 1);
  std::vector<double> x = {0.0};
  double expected = 0.0;
  const double gradients[] = {100.0, 1.0, 2.0};
  const double sums[] = {1e4, 1e4 + 1.0, 1.0 + 4.0};
  for (int t = 0; t < 3; ++t) {
    adagrad.step(direction({gradients[t]}), 0.5, x);
    expected += 0.5 * gradients[t] / std::sqrt(0.1 + sums[t]);
    EXPECT_NEAR(x[0], expected, 1e-14) << t;
  }
}

TEST(GradientAscent, StepsAlongTheGradient) {
  std::vector<double> x = {1.0, 2.0};
  GradientAscent().step(direction({10.0, -4.0}), 0.5, x);
  EXPECT_EQ(x, (std::vector<double>{6.0, 0.0}));
}

TEST(Optimizers, EachClimbsToTheTopOfABadlyScaledHill) {
  for (const OptimizerKind kind : kOptimizers) {
    const auto optimizer = make_optimizer(kind, 2);
    const double rate = kind == OptimizerKind::adagrad ? 1.0 : 0.05;
    std::vector<double> x = {4.0, -3.0};
    for (int t = 0; t < 2000; ++t) {
      optimizer->step(direction({-(x[0] - 1.0), -10.0 * (x[1] - 2.0)}), rate, x);
    }
    EXPECT_NEAR(x[0], 1.0, 0.05) << name_of(kind);
    EXPECT_NEAR(x[1], 2.0, 0.05) << name_of(kind);
  }
}

TEST(StepSchedule, HasTheShapeOfItsName) {
  const auto sizes = [](ScheduleKind kind) {
    const StepSchedule schedule(kind, 2.0, 100);
    return std::vector<double>{schedule.step_size(0), schedule.step_size(5), schedule.step_size(50),
                               schedule.step_size(99)};
  };
  EXPECT_EQ(sizes(ScheduleKind::constant), (std::vector<double>{2.0, 2.0, 2.0, 2.0}));
  EXPECT_EQ(sizes(ScheduleKind::distance), sizes(ScheduleKind::constant));
  const auto warm_up = sizes(ScheduleKind::warm_up);
  EXPECT_NEAR(warm_up[0], 0.2, 1e-12);
  EXPECT_NEAR(warm_up[1], 1.2, 1e-12);
  EXPECT_EQ(warm_up[2], 2.0);
  const auto decay = sizes(ScheduleKind::decay);
  EXPECT_EQ(decay[0], 2.0);
  EXPECT_NEAR(decay[2], 2.0 / std::sqrt(13.0), 1e-12);
  EXPECT_NEAR(decay[3], 0.4, 0.01);
  const auto cosine = sizes(ScheduleKind::cosine);
  EXPECT_EQ(cosine[0], 2.0);
  EXPECT_NEAR(cosine[2], 1.0, 1e-12);
  EXPECT_LT(cosine[3], 0.001);
}

TEST(TailAverage, IsTheMeanOfTheLastIterates) {
  TailAverage average(10, 0.35, 1);  // averages the last 4
  for (int t = 1; t <= 10; ++t) average.add(std::vector<double>{static_cast<double>(t)});
  EXPECT_NEAR(average.mean()[0], (7 + 8 + 9 + 10) / 4.0, 1e-14);
}

TEST(TailAverage, BeforeItsTailIsTheLastIterate) {
  TailAverage average(10, 0.5, 1);
  for (int t = 1; t <= 3; ++t) average.add(std::vector<double>{static_cast<double>(t)});
  EXPECT_EQ(average.mean()[0], 3.0);
}

}  // namespace
}  // namespace dpvi
