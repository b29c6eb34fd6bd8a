#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include <dpvi/gradient/grid_clipper.hpp>
#include <dpvi/optim/adam.hpp>
#include <dpvi/optim/tail_average.hpp>
#include <dpvi/privacy/unprotected_mechanism.hpp>

namespace dpvi {
namespace {

// A release of anything: directions are made by post-processing it.
Released some_release() {
  GridClipper clipper(
      {.grid = NoiseGrid(1.0), .clip_bound = 1.0, .dimension = 1, .max_records = 1});
  return UnprotectedMechanism().release(clipper.take_sum());
}

UpdateDirection direction(const std::vector<double>& values) {
  return UpdateDirection(some_release(), [&](std::span<const double>) { return values; });
}

TEST(Adam, FirstStepsAreThoseOfThePaper) {
  Adam adam({.learning_rate = 0.1, .first_decay = 0.9, .second_decay = 0.99, .floor = 0.0}, 1);
  std::vector<double> x = {0.0};
  adam.step(direction({2.0}), x);
  EXPECT_NEAR(x[0], 0.1, 1e-15);
  adam.step(direction({-1.0}), x);
  const double mean = (0.9 * 0.1 * 2.0 + 0.1 * -1.0) / (1 - 0.81);
  const double square = (0.99 * 0.01 * 4.0 + 0.01 * 1.0) / (1 - 0.99 * 0.99);
  EXPECT_NEAR(x[0], 0.1 + 0.1 * mean / std::sqrt(square), 1e-14);
}

TEST(Adam, ClimbsToTheTop) {
  Adam adam({.learning_rate = 0.05}, 2);
  std::vector<double> x = {4.0, -3.0};
  for (int t = 0; t < 2000; ++t) adam.step(direction({-(x[0] - 1.0), -10.0 * (x[1] - 2.0)}), x);
  EXPECT_NEAR(x[0], 1.0, 0.05);
  EXPECT_NEAR(x[1], 2.0, 0.05);
}

TEST(TailAverage, IsTheMeanOfTheLastIterates) {
  TailAverage average(10, 0.35, 1);  // the last 4
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
