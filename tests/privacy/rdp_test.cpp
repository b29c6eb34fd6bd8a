#include <dpvi/privacy/rdp.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include <tests/privacy/random_runs.hpp>

namespace dpvi::testing_privacy {
namespace {

// Integer orders by the binomial theorem: the sum of C(a,k) (1-q)^(a-k) q^k e^((k^2-k)/(2 s^2)).
// The terms that add up to one are subtracted, so that tiny divergences keep their digits.
double binomial_rdp(double q, double s, int order) {
  double sum = 0;
  for (int k = 2; k <= order; ++k) {
    const double log_weight = std::lgamma(order + 1.0) - std::lgamma(k + 1.0) -
                              std::lgamma(order - k + 1.0) + (order - k) * std::log1p(-q) +
                              k * std::log(q);
    sum += std::exp(log_weight) * std::expm1(k * (k - 1) / (2 * s * s));
  }
  return std::log1p(sum) / (order - 1);
}

TEST(Rdp, IntegerOrdersAreTheBinomialSumRoundedUp) {
  check_always(300, [] {
    const double q = log_uniform(1e-7, 0.999), s = log_uniform(0.3, 200);
    const int order = *rc::gen::inRange(2, 33);
    const double exact = binomial_rdp(q, s, order);
    RC_PRE(std::isfinite(exact));
    const double found = rdp(GaussianRun{{q, s, 1}}, Adjacency::add_remove, order);
    RC_ASSERT(found >= exact * (1 - 1e-12));
    RC_ASSERT(found <= exact * (1 + 1e-11) + 1e-29);
  });
}

TEST(Rdp, FractionalOrdersHoldThirtyDigitQuadratures) {
  const auto substitute = [](double q, double s, std::int64_t steps, double order) {
    return rdp(GaussianRun{{q, s, steps}}, Adjacency::substitute, order);
  };
  EXPECT_NEAR(substitute(0.01, 2.5, 50, 1.5), 0.00240578608648486252, 1e-13);
  EXPECT_NEAR(substitute(0.01, 0.1, 1, 1.25), 39.4844039286595076, 1e-9);
}

TEST(Rdp, GrowsWithTheOrderAndIsLeastUnderAddRemove) {
  check_always(100, [] {
    const GaussianRun run{{log_uniform(1e-6, 1), log_uniform(0.3, 100), 3}};
    const double order = 1 + log_uniform(1e-3, 300);
    const double larger = order * log_uniform(1.001, 2);
    for (const Adjacency adjacency : {Adjacency::add_remove, Adjacency::substitute})
      RC_ASSERT(rdp(run, adjacency, order) <= rdp(run, adjacency, larger) * (1 + 1e-11) + 1e-28);
    RC_ASSERT(rdp(run, Adjacency::add_remove, order) <=
              rdp(run, Adjacency::substitute, order) * (1 + 1e-11) + 1e-28);
  });
}

TEST(Rdp, BestOrderAtTheEdgeOfTheGivenOnesIsReported) {
  const GaussianRun run{{0.01, 2.0, 1000}};
  const std::vector<double> low{1.5, 2}, around{2, 8, 16, 32, 256}, high{64, 128};
  EXPECT_TRUE(rdp_epsilon(run, Adjacency::add_remove, 1e-5, low).order_at_edge);
  EXPECT_TRUE(rdp_epsilon(run, Adjacency::add_remove, 1e-5, high).order_at_edge);
  EXPECT_FALSE(rdp_epsilon(run, Adjacency::add_remove, 1e-5, around).order_at_edge);
  EXPECT_FALSE(rdp_epsilon(run, Adjacency::add_remove, 1e-5).order_at_edge);
}

TEST(Rdp, SearchedOrderIsAtLeastAsGoodAsAnyOnAFineGrid) {
  for (const GaussianRun& run : {GaussianRun{{0.01, 2.0, 1000}}, GaussianRun{{0.2, 0.8, 50}},
                                 GaussianRun{{1e-4, 1.0, 100}}}) {
    std::vector<double> orders;
    for (double order = 1.05; order < 500; order = 1 + (order - 1) * 1.05) orders.push_back(order);
    for (const Adjacency adjacency : {Adjacency::add_remove, Adjacency::substitute})
      EXPECT_LE(rdp_epsilon(run, adjacency, 1e-6).epsilon,
                rdp_epsilon(run, adjacency, 1e-6, orders).epsilon * (1 + 1e-9));
  }
}

TEST(Rdp, DeltaOfEpsilonOfDeltaIsDelta) {
  const GaussianRun run{{0.01, 1.0, 2000}};
  for (const double delta : {1e-9, 1e-5, 1e-2}) {
    const double epsilon = rdp_epsilon(run, Adjacency::substitute, delta).epsilon;
    EXPECT_NEAR(rdp_delta(run, Adjacency::substitute, epsilon).delta, delta, 1e-6 * delta);
  }
}

TEST(Rdp, NothingDoneCostsNothing) {
  const GaussianRun run{{0.1, 1.0, 0}};
  EXPECT_EQ(rdp(run, Adjacency::substitute, 2), 0);
  EXPECT_EQ(rdp_epsilon(run, Adjacency::substitute, 1e-6).epsilon, 0);
  EXPECT_EQ(rdp_delta(run, Adjacency::substitute, 1).delta, 0);
}

TEST(Rdp, NoDeltaLeavesNoFiniteEpsilon) {
  EXPECT_EQ(rdp_epsilon(GaussianRun{{0.1, 1.0, 1}}, Adjacency::substitute, 0).epsilon,
            std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace dpvi::testing_privacy
