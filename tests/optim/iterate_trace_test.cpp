#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include <dpvi/optim/iterate_trace.hpp>

namespace dpvi {
namespace {

// A first-order autoregressive process with coefficient `memory` and unit noise, plus a linear
// drift.
IterateTrace wandering(double memory, std::uint64_t seed, double drift = 0.0, int steps = 2000) {
  IterateTrace trace(steps, 0.5, 1);
  std::mt19937_64 engine(seed);
  std::normal_distribution<double> noise;
  double x = 0.0;
  for (int t = 0; t < steps; ++t) {
    x = memory * x + noise(engine);
    trace.add(std::vector<double>{x + drift * t});
  }
  return trace;
}

// Apart from end effects, the mean of n iterates has standard deviation 1 / (1 - memory) / sqrt(n).
// An estimate from ten batches is accurate to 24 %, and the mean of 40 estimates to 4 %.
TEST(IterateTrace, KnowsWhatTheNoiseLeavesUncertainOfTheMean) {
  for (const double memory : {0.0, 0.8}) {
    double squares = 0.0;
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
      squares += std::pow(wandering(memory, seed).mean_sd()[0], 2) / 40.0;
    }
    const double expected = 1.0 / (1.0 - memory) / std::sqrt(1000.0);
    EXPECT_NEAR(std::sqrt(squares) / expected, 1.0, 0.2) << memory;
  }
}

// The halves of the last 1000 iterates are 500 steps apart.
TEST(IterateTrace, DriftIsTheDistanceBetweenTheHalves) {
  EXPECT_NEAR(wandering(0.0, 1, 0.01).drift()[0], 5.0, 0.3);
  EXPECT_NEAR(wandering(0.0, 2).drift()[0], 0.0, 0.3);
}

TEST(IterateTrace, EffectiveSizeFallsWithMemory) {
  double free = 0.0, bound = 0.0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    free += wandering(0.0, seed).effective_size()[0] / 20.0;
    bound += wandering(0.8, seed).effective_size()[0] / 20.0;
  }
  EXPECT_GT(free, 500.0);
  EXPECT_LT(bound, 400.0);
}

TEST(IterateTrace, RHatTellsADriftFromWandering) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    EXPECT_LT(wandering(0.8, seed).r_hat()[0], 1.1);
    EXPECT_GT(wandering(0.8, seed, 0.02).r_hat()[0], 1.5);
  }
}

TEST(IterateTrace, FollowsTheTailAlone) {
  IterateTrace trace(20, 0.5, 1);
  for (int t = 0; t < 20; ++t) trace.add(std::vector<double>{t < 10 ? 1e9 : 1.0 * t});
  ASSERT_EQ(trace.batch_means().size(), 10u);
  for (std::size_t batch = 0; batch < 10; ++batch) {
    EXPECT_EQ(trace.batch_means()[batch][0], 10.0 + static_cast<double>(batch));
  }
}

TEST(IterateTrace, OneStepTellsNothing) {
  IterateTrace trace(1, 0.65, 1);
  trace.add(std::vector<double>{3.0});
  EXPECT_TRUE(std::isnan(trace.mean_sd()[0]));
  EXPECT_TRUE(std::isnan(trace.r_hat()[0]));
}

}  // namespace
}  // namespace dpvi
