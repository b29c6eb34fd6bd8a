#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <tuple>

#include <dpvi/random/standard_normal.hpp>
#include <dpvi/sample/sample_posterior.hpp>
#include <tests/support/bound_program.hpp>

namespace dpvi {
namespace {

// J normal effects around mu with sd tau, written centred.
BoundProgram centred_hierarchy(std::size_t groups) {
  const std::string size = std::to_string(groups);
  return bind_program("data { int N; vector[N] y; array[N] int<lower=1, upper=" + size +
                      "> g; } parameters { real mu; real<lower=0> tau; vector[" + size +
                      "] a; } model { mu ~ normal(0, 5); tau ~ lognormal(0, 1);"
                      "a ~ normal(mu, tau); for (n in 1:N) y[n] ~ normal(a[g[n]], 1); }");
}

struct Effects {
  std::vector<double> means;
  double variance = 1.0;
};

Effects example_effects(std::size_t groups, double site_sd) {
  SeededStream stream = SeededGenerator(5).stream({.label = StreamLabel::predictive_draw});
  Effects effects{{}, site_sd * site_sd};
  for (std::size_t j = 0; j < groups; ++j) {
    const double effect = 0.7 + standard_normal(stream);
    effects.means.push_back(effect + site_sd * standard_normal(stream));
  }
  return effects;
}

Site site_of(const Effects& effects) {
  Site site;
  for (std::size_t j = 0; j < effects.means.size(); ++j) site.used.push_back(2 + j);
  site.components = {
      {1.0, effects.means, std::vector<double>(effects.means.size(), 1.0 / effects.variance)}};
  return site;
}

// The marginal posterior of log tau on a grid, with mu and the effects integrated out: the means
// are independent normals around mu with variance tau^2 + variance.
class LogTauGrid {
 public:
  explicit LogTauGrid(const Effects& effects) {
    double top = -INFINITY;
    for (double u = -8.0; u <= 6.0; u += kStep) {
      const double weight = 1.0 / (std::exp(2.0 * u) + effects.variance);
      double precision = 1.0 / 25.0, sum = 0.0, value = -0.5 * u * u;
      for (const double mean : effects.means) {
        precision += weight;
        sum += weight * mean;
        value += 0.5 * std::log(weight) - 0.5 * weight * mean * mean;
      }
      value += 0.5 * sum * sum / precision - 0.5 * std::log(precision);
      points_.push_back(u);
      weights_.push_back(value);
      top = std::max(top, value);
    }
    double total = 0.0;
    for (double& weight : weights_) total += weight = std::exp(weight - top);
    for (double& weight : weights_) weight /= total;
  }

  double cdf(double u) const {
    double sum = 0.0;
    for (std::size_t i = 0; i < points_.size() && points_[i] < u; ++i) sum += weights_[i];
    return sum;
  }

 private:
  static constexpr double kStep = 5e-4;
  std::vector<double> points_;
  std::vector<double> weights_;
};

// Expects quantiles of log tau to be those of the grid, within four standard errors.
void expect_log_tau(const SampledPosterior& posterior, const LogTauGrid& grid) {
  std::vector<double> draws;
  for (const auto& theta : posterior.theta) draws.push_back(theta[1]);
  std::sort(draws.begin(), draws.end());
  const ChainDiagnostics& diagnostics = posterior.chains.diagnostics[1];
  const double size =
      std::min({diagnostics.ess_bulk, diagnostics.ess_tail, static_cast<double>(draws.size())});
  for (const double share : {0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99}) {
    const double quantile =
        draws[static_cast<std::size_t>(share * static_cast<double>(draws.size()))];
    EXPECT_NEAR(grid.cdf(quantile), share, 4.0 * std::sqrt(share * (1.0 - share) / size)) << share;
  }
}

using FunnelCase = std::tuple<std::size_t, double>;  // groups, sd of the site over tau
class Funnel : public testing::TestWithParam<FunnelCase> {};

TEST_P(Funnel, ScaleOfCentredEffectsHasItsExactQuantiles) {
  const auto& [groups, site_sd] = GetParam();
  const BoundProgram program = centred_hierarchy(groups);
  const Effects effects = example_effects(groups, site_sd);
  const SampledPosterior posterior =
      sample_posterior(program.model.prior(), site_of(effects), {}, SeededGenerator(9));
  expect_log_tau(posterior, LogTauGrid(effects));
  EXPECT_EQ(posterior.chains.divergences(), 0);
  EXPECT_EQ(posterior.chains.saturations(), 0);
  EXPECT_LT(posterior.chains.largest_r_hat(), 1.015);
  EXPECT_GT(posterior.chains.smallest_ess(), 400.0);
}

INSTANTIATE_TEST_SUITE_P(Posterior, Funnel,
                         testing::Combine(testing::Values<std::size_t>(8, 20, 200),
                                          testing::Values(0.1, 1.0, 10.0)));

TEST(SamplePosterior, NonCentredProgramsAreSampledToo) {
  // The same hierarchy in terms of z = (a - mu) / tau, with the site on a.
  const Effects effects = example_effects(20, 1.0);
  const LogDensity density = [&](std::span<const double> x, std::span<double> gradient) {
    const double tau = std::exp(x[1]);
    double value = -x[0] * x[0] / 50.0 - 0.5 * x[1] * x[1];
    gradient[0] = -x[0] / 25.0;
    gradient[1] = -x[1];
    for (std::size_t j = 0; j < 20; ++j) {
      const double z = x[2 + j];
      const double error = (effects.means[j] - x[0] - tau * z) / effects.variance;
      value -= 0.5 * z * z + 0.5 * error * error * effects.variance;
      gradient[0] += error;
      gradient[1] += error * tau * z;
      gradient[2 + j] = error * tau - z;
    }
    return value;
  };
  const SeededGenerator generator(4);
  const SampledPosterior posterior =
      sample_posterior(density, 22, {}, {}, chain_randomness(generator));
  expect_log_tau(posterior, LogTauGrid(effects));
  EXPECT_LT(posterior.chains.largest_r_hat(), 1.01);
}

TEST(SamplePosterior, LogDensityIsThatOfPriorTimesSite) {
  const BoundProgram program = centred_hierarchy(8);
  const Site site = site_of(example_effects(8, 0.5));
  const SampledPosterior posterior = sample_posterior(
      program.model.prior(), site, {.nuts = {.warmup = 200, .draws = 50}}, SeededGenerator(1));
  const SiteTarget target(log_density_of(program.model.prior()), 10, site);
  std::vector<double> gradient(10);
  ASSERT_EQ(posterior.theta.size(), 200U);
  for (std::size_t i = 0; i < posterior.theta.size(); ++i) {
    EXPECT_NEAR(posterior.chains.statistics[i].log_density,
                target.value_and_gradient(posterior.theta[i], gradient), 1e-8);
  }
}

// Guarantee: the result depends on its arguments alone, and not on the number of threads.
TEST(SamplePosterior, IsTheSameForAnyNumberOfThreadsAndSeeds) {
  const BoundProgram program = centred_hierarchy(8);
  const Site site = site_of(example_effects(8, 2.0));
  SamplingSettings settings{.nuts = {.warmup = 150, .draws = 50}};
  const auto sample = [&](std::uint64_t seed) {
    return sample_posterior(program.model.prior(), site, settings, SeededGenerator(seed)).theta;
  };
  const auto expected = sample(1);
  EXPECT_EQ(sample(1), expected);
  EXPECT_NE(sample(2), expected);
  settings.nuts.threads = 4;
  EXPECT_EQ(sample(1), expected);
}

TEST(SamplePosterior, SecureRandomnessIsFresh) {
  const BoundProgram program = centred_hierarchy(8);
  const Site site = site_of(example_effects(8, 2.0));
  const SamplingSettings settings{.nuts = {.warmup = 150, .draws = 20}};
  const auto sample = [&] {
    return sample_posterior(program.model.prior(), site, settings, SecureGenerator()).theta;
  };
  EXPECT_NE(sample(), sample());
}

// The posterior of a conjugate mean: prior N(0, 3^2) and a site of two precisions.
TEST(SamplePosterior, MixturesOfPrecisionsAreIntegratedOver) {
  const BoundProgram program = bind_program(kMeanProgram);
  const Site site{{0}, {{0.5, {2.0}, {4.0}}, {0.5, {2.0}, {0.25}}}};
  const SampledPosterior posterior =
      sample_posterior(program.model.prior(), site, {}, SeededGenerator(2));
  // Component k has evidence N(2 | 0, 9 + 1/p) and a conjugate posterior.
  double total = 0.0, mean = 0.0, square = 0.0;
  for (const double p : {4.0, 0.25}) {
    const double variance = 9.0 + 1.0 / p;
    const double evidence = std::exp(-2.0 / variance) / std::sqrt(variance);
    const double precision = p + 1.0 / 9.0, centre = p * 2.0 / precision;
    total += evidence;
    mean += evidence * centre;
    square += evidence * (centre * centre + 1.0 / precision);
  }
  double sum = 0.0, squares = 0.0;
  for (const auto& theta : posterior.theta) {
    sum += theta[0];
    squares += theta[0] * theta[0];
  }
  const auto count = static_cast<double>(posterior.theta.size());
  const double error = posterior.chains.diagnostics[0].mcse_mean;
  EXPECT_NEAR(sum / count, mean / total, 4.0 * error);
  EXPECT_NEAR(squares / count, square / total, 4.0 * 5.0 * error);
}

TEST(SamplePosterior, IsSampledLongerIfItMixesSlowly) {
  // Two modes that few trajectories connect.
  const LogDensity density = [](std::span<const double> x, std::span<double> gradient) {
    const double a = x[0] - 3.0, b = x[0] + 3.0;
    const double share = 1.0 / (1.0 + std::exp(0.5 * a * a - 0.5 * b * b));
    gradient[0] = -share * a - (1.0 - share) * b;
    return -0.5 * b * b + std::log1p(std::exp(0.5 * b * b - 0.5 * a * a));
  };
  const SeededGenerator generator(1);
  const SampledPosterior posterior = sample_posterior(
      density, 1, {}, {.nuts = {.warmup = 300, .draws = 200}}, chain_randomness(generator));
  EXPECT_EQ(posterior.chains.thin, 4);
  EXPECT_EQ(posterior.chains.warmup, 600);
  EXPECT_EQ(posterior.theta.size(), 800U);
}

TEST(SamplePosterior, ASiteWithoutMeaningEndsAndSaysSo) {
  const BoundProgram program = bind_program(kMeanProgram);
  const Site site{{0}, {{1.0, {std::nan("")}, {1.0}}}};
  const SampledPosterior posterior = sample_posterior(
      program.model.prior(), site, {.nuts = {.warmup = 50, .draws = 10}}, SeededGenerator(2));
  EXPECT_EQ(posterior.chains.divergences(), 40);
  EXPECT_TRUE(std::isnan(posterior.chains.largest_r_hat()));
}

}  // namespace
}  // namespace dpvi
