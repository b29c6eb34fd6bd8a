#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include <dpvi/privacy/group_privacy.hpp>
#include <dpvi/privacy/pld.hpp>

namespace dpvi {
namespace {

constexpr double kDelta = 1e-6;

double group_epsilon(const GaussianRun& run, Adjacency adjacency, double delta, int size) {
  return group_epsilons(run, adjacency, delta, std::vector{size}).front();
}

double normal_tail(double x) { return 0.5 * std::erfc(x / std::sqrt(2.0)); }

// The smallest delta of k records under add-remove for one sampled step, by integration: the sum
// moves by j clip bounds with the probability that j of k records are sampled. This is a lower
// bound on what any bound may claim, because these two tables exist.
double true_delta_of_one_step(double rate, double noise, int size, double epsilon) {
  constexpr int kCells = 400000;
  const double low = -12 * noise, high = size + 12 * noise, width = (high - low) / kCells;
  double sum = 0;
  for (int c = 0; c < kCells; ++c) {
    const double x = low + (c + 0.5) * width;
    double with = 0;
    for (int j = 0; j <= size; ++j) {
      const double chance =
          std::exp(std::lgamma(size + 1) - std::lgamma(j + 1) - std::lgamma(size - j + 1)) *
          std::pow(rate, j) * std::pow(1 - rate, size - j);
      with += chance * std::exp(-0.5 * (x - j) * (x - j) / (noise * noise));
    }
    const double without = std::exp(-0.5 * x * x / (noise * noise));
    sum += std::max(0.0, with - std::exp(epsilon) * without);
  }
  return sum * width / (noise * std::sqrt(2 * M_PI));
}

// Without sampling, k records of a Gaussian mechanism are one record at k times the sensitivity
// (Balle & Wang 2018 give its delta).
TEST(GroupPrivacy, IsExactWithoutSampling) {
  const GaussianRun run = {{1.0, 40.0, 20}};
  for (const int size : {1, 2, 5, 10}) {
    for (const auto adjacency : {Adjacency::substitute, Adjacency::add_remove}) {
      const double shift = (adjacency == Adjacency::substitute ? 2.0 : 1.0) * size;
      const double mu = shift * std::sqrt(20.0) / 40.0;
      const double epsilon = group_epsilon(run, adjacency, kDelta, size);
      const double delta = normal_tail(epsilon / mu - mu / 2) -
                           std::exp(epsilon) * normal_tail(epsilon / mu + mu / 2);
      EXPECT_NEAR(delta / kDelta, 1.0, 1e-5) << size;
    }
  }
}

// Guarantee: the epsilon of a group is an upper bound, computed for the mechanism that ran.
TEST(GroupPrivacy, IsAnUpperBoundForOneSampledStep) {
  for (const double rate : {0.01, 0.1, 0.5}) {
    for (const int size : {2, 5, 10}) {
      const double epsilon =
          group_epsilon(GaussianRun{{rate, 3.0, 1}}, Adjacency::add_remove, kDelta, size);
      EXPECT_LE(true_delta_of_one_step(rate, 3.0, size, epsilon), kDelta) << rate << " " << size;
    }
  }
}

// Many sampled steps are close to a Gaussian mechanism, for which k records cost k times mu.
TEST(GroupPrivacy, IsCloseToTheGaussianLimitForManySteps) {
  const GaussianRun run = {{0.1, 40.0, 1000}};
  const double mu = 2 * 0.1 * std::sqrt(1000.0) / 40.0;
  for (const int size : {2, 5, 10}) {
    const GaussianRun limit = {{1.0, 1 / (mu * size), 1}};
    const double whole = pld_epsilon(limit, Adjacency::add_remove, kDelta).upper;
    const double group = group_epsilon(run, Adjacency::substitute, kDelta, size);
    EXPECT_GT(group, 0.9 * whole) << size;
    EXPECT_LT(group, 1.2 * whole) << size;
  }
}

TEST(GroupPrivacy, GrowsWithTheGroupAndOneRecordIsTheRun) {
  const GaussianRun run = {{0.1, 20.0, 500}, {1.0, 60.0, 3}};
  for (const auto adjacency : {Adjacency::substitute, Adjacency::add_remove}) {
    double last = 0;
    for (const int size : {1, 2, 3, 5, 10}) {
      const double epsilon = group_epsilon(run, adjacency, kDelta, size);
      EXPECT_GT(epsilon, last);
      last = epsilon;
    }
    EXPECT_NEAR(group_epsilon(run, adjacency, kDelta, 1), pld_epsilon(run, adjacency, kDelta).upper,
                1e-4);
  }
}

}  // namespace
}  // namespace dpvi
