#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include <dpvi/random/standard_normal.hpp>
#include <dpvi/random/unit_uniform.hpp>
#include <dpvi/sample/mcmc_diagnostics.hpp>
#include <dpvi/sample/nuts.hpp>

namespace dpvi {
namespace {

using Point = std::vector<double>;

double normal_cdf(double x) { return 0.5 * std::erfc(-x / std::numbers::sqrt2); }

std::vector<NutsChain> sample(const LogDensity& density, std::size_t dimension,
                              const NutsSettings& settings = {}, std::uint64_t seed = 1) {
  const SeededGenerator generator(seed);
  std::vector<Point> starts;
  for (int c = 0; c < settings.chains; ++c) starts.emplace_back(dimension, 0.1 + 0.1 * c);
  return sample_nuts(density, starts, settings, chain_randomness(generator));
}

// The values of a function of the draws, by chain.
std::vector<Point> values_of(const std::vector<NutsChain>& chains,
                             const std::function<double(const Point&)>& function) {
  std::vector<Point> result;
  for (const NutsChain& chain : chains) {
    Point& values = result.emplace_back();
    for (const Point& draw : chain.draws) values.push_back(function(draw));
  }
  return result;
}

// Expects the share of values below some limits to be what the distribution function says, within
// four standard errors, which take autocorrelation into account.
void expect_distribution(const std::vector<Point>& values, std::initializer_list<double> limits,
                         const std::function<double(double)>& cdf) {
  for (const double limit : limits) {
    std::vector<Point> below = values;
    double sum = 0.0, count = 0.0;
    for (Point& chain : below) {
      for (double& value : chain) {
        value = value <= limit ? 1.0 : 0.0;
        sum += value;
        count += 1.0;
      }
    }
    const double expected = cdf(limit);
    const double size = std::min(effective_sample_size(below), count);
    EXPECT_NEAR(sum / count, expected, 4.0 * std::sqrt(expected * (1.0 - expected) / size))
        << limit;
  }
}

std::int64_t divergences(const std::vector<NutsChain>& chains) {
  std::int64_t count = 0;
  for (const NutsChain& chain : chains) {
    for (const DrawStatistics& draw : chain.statistics) count += draw.divergent ? 1 : 0;
  }
  return count;
}

// Two coordinates with standard deviations 10 and .1, means 3 and -1 and correlation .95.
double correlated_normal(std::span<const double> x, std::span<double> gradient) {
  constexpr double kCorrelation = 0.95;
  const double a = (x[0] - 3.0) / 10.0, b = (x[1] + 1.0) / 0.1;
  const double scale = 1.0 / (1.0 - kCorrelation * kCorrelation);
  gradient[0] = -scale * (a - kCorrelation * b) / 10.0;
  gradient[1] = -scale * (b - kCorrelation * a) / 0.1;
  return -0.5 * scale * (a * a - 2.0 * kCorrelation * a * b + b * b);
}

TEST(Nuts, SamplesCorrelatedNormals) {
  for (const std::size_t largest_dense : {std::size_t{0}, std::size_t{100}}) {
    const auto chains = sample(correlated_normal, 2, {.largest_dense_metric = largest_dense});
    const auto first = values_of(chains, [](const Point& x) { return (x[0] - 3.0) / 10.0; });
    const auto second = values_of(chains, [](const Point& x) { return (x[1] + 1.0) / 0.1; });
    // Independent of the first.
    const auto residual = values_of(chains, [](const Point& x) {
      return ((x[1] + 1.0) / 0.1 - 0.95 * (x[0] - 3.0) / 10.0) / std::sqrt(1.0 - 0.95 * 0.95);
    });
    for (const auto& values : {first, second, residual}) {
      expect_distribution(values, {-2.0, -1.0, 0.0, 1.0, 2.0}, normal_cdf);
      EXPECT_LT(diagnose_chains(values).r_hat, 1.01);
      EXPECT_GT(diagnose_chains(values).ess_bulk, 400.0);
    }
    EXPECT_EQ(divergences(chains), 0);
  }
}

// x given u is normal with variance exp(2 u), where u is normal with sd 1/2: a mild funnel.
TEST(Nuts, SamplesScaleMixtures) {
  const LogDensity density = [](std::span<const double> x, std::span<double> gradient) {
    const double precision = std::exp(-2.0 * x[0]);
    gradient[0] = -4.0 * x[0] - 1.0 + precision * x[1] * x[1];
    gradient[1] = -precision * x[1];
    return -2.0 * x[0] * x[0] - x[0] - 0.5 * precision * x[1] * x[1];
  };
  const auto chains = sample(density, 2);
  expect_distribution(values_of(chains, [](const Point& x) { return x[0]; }),
                      {-0.8, -0.4, 0.0, 0.4, 0.8}, [](double u) { return normal_cdf(2.0 * u); });
  const auto cdf = [](double x) {
    double sum = 0.0, weight = 0.0;
    for (double u = -4.0; u <= 4.0; u += 0.01) {
      const double share = std::exp(-2.0 * u * u);
      sum += share * normal_cdf(x * std::exp(-u));
      weight += share;
    }
    return sum / weight;
  };
  expect_distribution(values_of(chains, [](const Point& x) { return x[1]; }),
                      {-3.0, -1.0, -0.3, 0.0, 0.5, 2.0}, cdf);
}

// A transition from an exact draw of the target ends at an exact draw, for any step size.
TEST(Nuts, TransitionsLeaveTheTargetInvariant) {
  const LogDensity logistic = [](std::span<const double> x, std::span<double> gradient) {
    double sum = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      sum += -x[i] - 2.0 * std::log1p(std::exp(-x[i]));
      gradient[i] = -std::tanh(0.5 * x[i]);
    }
    return sum;
  };
  constexpr std::size_t kChains = 20000;
  const SeededGenerator generator(3);
  SeededStream stream = generator.stream({.label = StreamLabel::predictive_draw});
  std::vector<Point> starts;
  for (std::size_t c = 0; c < kChains; ++c) {
    Point& start = starts.emplace_back();
    for (int i = 0; i < 3; ++i) {
      const double u = unit_uniform(stream);
      start.push_back(std::log(u / (1.0 - u)));
    }
  }
  // Without a warm-up the step size is 1, which is long enough to reject.
  const auto chains =
      sample_nuts(logistic, starts, {.warmup = 0, .draws = 1}, chain_randomness(generator));
  for (std::size_t i = 0; i < 3; ++i) {
    for (const double limit : {-3.0, -1.0, 0.0, 0.5, 2.0}) {
      double below = 0.0;
      for (const NutsChain& chain : chains) below += chain.draws[0][i] <= limit ? 1.0 : 0.0;
      const double expected = 1.0 / (1.0 + std::exp(-limit));
      EXPECT_NEAR(below / kChains, expected,
                  4.0 * std::sqrt(expected * (1.0 - expected) / kChains));
    }
  }
  std::size_t moved = 0;
  for (std::size_t c = 0; c < kChains; ++c) moved += chains[c].draws[0] != starts[c] ? 1 : 0;
  EXPECT_GT(moved, kChains * 9 / 10);
}

// Guarantee: the draws of a chain depend on the density, its start, the settings and its random
// numbers alone.
TEST(Nuts, DrawsAreTheSameForAnyNumberOfThreads) {
  const NutsSettings one{.warmup = 200, .draws = 100};
  NutsSettings three = one;
  three.threads = 3;
  const auto expected = sample(correlated_normal, 2, one);
  const auto found = sample(correlated_normal, 2, three);
  const auto other = sample(correlated_normal, 2, one, 2);
  ASSERT_EQ(found.size(), 4U);
  for (std::size_t c = 0; c < found.size(); ++c) {
    EXPECT_EQ(found[c].draws, expected[c].draws);
    EXPECT_NE(other[c].draws, expected[c].draws);
  }
  EXPECT_NE(found[0].draws, found[1].draws);
  // A chain does not depend on the others either.
  NutsSettings fewer = one;
  fewer.chains = 2;
  EXPECT_EQ(sample(correlated_normal, 2, fewer)[1].draws, expected[1].draws);
}

TEST(Nuts, StatisticsDescribeTheDraws) {
  const auto chains = sample(correlated_normal, 2, {.warmup = 300, .draws = 300, .thin = 2});
  double acceptance = 0.0;
  for (const NutsChain& chain : chains) {
    ASSERT_EQ(chain.draws.size(), 300U);
    ASSERT_EQ(chain.statistics.size(), 300U);
    for (std::size_t i = 0; i < chain.draws.size(); ++i) {
      const DrawStatistics& draw = chain.statistics[i];
      Point gradient(2);
      EXPECT_EQ(draw.log_density, correlated_normal(chain.draws[i], gradient));
      EXPECT_GE(draw.energy, -draw.log_density);
      EXPECT_GE(draw.leapfrog_steps, 1);
      EXPECT_LT(draw.leapfrog_steps, 1 << (draw.tree_depth + 1));
      EXPECT_EQ(draw.step_size, chain.statistics[0].step_size);
      acceptance += draw.acceptance / 1200.0;
    }
  }
  EXPECT_NEAR(acceptance, 0.9, 0.06);
}

TEST(Nuts, TreesEndAtTheirMaximalDepth) {
  const LogDensity flat = [](std::span<const double>, std::span<double> gradient) {
    std::fill(gradient.begin(), gradient.end(), 0.0);
    return 0.0;
  };
  for (const NutsChain& chain : sample(flat, 3, {.warmup = 20, .draws = 10, .max_tree_depth = 4})) {
    for (const DrawStatistics& draw : chain.statistics) {
      EXPECT_EQ(draw.tree_depth, 4);
      EXPECT_EQ(draw.leapfrog_steps, 15);
    }
  }
}

// A normal restricted to positive numbers by a density of zero, NaN or an infinite gradient.
TEST(Nuts, BordersOfTheSupportAreDivergencesAndTheRestIsRight) {
  for (const double outside : {-double{INFINITY}, std::nan("")}) {
    const LogDensity density = [=](std::span<const double> x, std::span<double> gradient) {
      gradient[0] = -x[0];
      return x[0] > 0.0 ? -0.5 * x[0] * x[0] : outside;
    };
    const auto chains = sample(density, 1);
    expect_distribution(values_of(chains, [](const Point& x) { return x[0]; }),
                        {0.1, 0.3, 0.7, 1.2, 2.0},
                        [](double x) { return 2.0 * normal_cdf(x) - 1.0; });
    EXPECT_GT(divergences(chains), 0);
  }
}

// The log density drops by 1 at 0.
TEST(Nuts, StepsInTheDensityAreSampledRightly) {
  const LogDensity density = [](std::span<const double> x, std::span<double> gradient) {
    gradient[0] = -x[0];
    return -0.5 * x[0] * x[0] - (x[0] > 0.0 ? 1.0 : 0.0);
  };
  const double below = 1.0 / (1.0 + std::exp(-1.0));
  expect_distribution(values_of(sample(density, 1), [](const Point& x) { return x[0]; }),
                      {-1.0, -0.3, 0.0, 0.7}, [&](double x) {
                        return x <= 0.0 ? 2.0 * below * normal_cdf(x)
                                        : below + (1.0 - below) * (2.0 * normal_cdf(x) - 1.0);
                      });
}

TEST(Nuts, HostileDensitiesEnd) {
  const std::function<double(double, double&)> densities[] = {
      [](double, double&) { return std::nan(""); },
      [](double, double&) { return -INFINITY; },
      [](double, double&) { return INFINITY; },
      [](double x, double& g) { return g = std::nan(""), -0.5 * x * x; },
      [](double x, double& g) { return g = INFINITY, -0.5 * x * x; },
      [](double x, double& g) { return g = x, 0.5 * x * x; },            // improper, explodes
      [](double x, double& g) { return g = 1e300, 1e300 * x; },          // overflows
      [](double x, double& g) { return g = -1e12 * x, -5e11 * x * x; },  // very narrow
      [](double x, double& g) { return g = 0.0, std::floor(x) == 0.0 ? 0.0 : -INFINITY; }};
  for (const auto& hostile : densities) {
    const LogDensity density = [&](std::span<const double> x, std::span<double> gradient) {
      return gradient[0] = 0.0, hostile(x[0], gradient[0]);
    };
    const auto chains = sample(density, 1, {.warmup = 60, .draws = 20, .max_tree_depth = 6});
    for (const NutsChain& chain : chains) {
      EXPECT_EQ(chain.draws.size(), 20U);
      for (const Point& draw : chain.draws) EXPECT_FALSE(std::isnan(draw[0]));
    }
  }
}

TEST(Nuts, AChainWithoutAFiniteStartStaysAndSaysSo) {
  const LogDensity nowhere = [](std::span<const double>, std::span<double> gradient) {
    gradient[0] = 0.0;
    return -INFINITY;
  };
  for (const NutsChain& chain : sample(nowhere, 1, {.chains = 1, .warmup = 30, .draws = 5})) {
    for (const Point& draw : chain.draws) EXPECT_EQ(draw[0], 0.1);
    for (const DrawStatistics& draw : chain.statistics) EXPECT_TRUE(draw.divergent);
  }
}

}  // namespace
}  // namespace dpvi
