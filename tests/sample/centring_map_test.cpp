#include <gtest/gtest.h>

#include <cmath>

#include <dpvi/sample/centring_map.hpp>
#include <dpvi/sample/site_target.hpp>
#include <tests/support/bound_program.hpp>

namespace dpvi {
namespace {

BoundProgram program_with(const std::string& parameters, const std::string& prior) {
  return bind_program(
      "data { int N; vector[N] y; array[N] int<lower=1, upper=8> g; } parameters { " + parameters +
      " } model { " + prior + " for (n in 1:N) y[n] ~ normal(a[g[n]], 1); }");
}

ConditionalLevels levels_of(const std::string& parameters, const std::string& prior) {
  const BoundProgram program = program_with(parameters, prior);
  return find_conditional_levels(log_density_of(program.model.prior()),
                                 std::vector<double>(program.model.dimension(), 0.0));
}

std::size_t size_of(const std::vector<ConditionalNormals>& level) {
  std::size_t size = 0;
  for (const ConditionalNormals& normals : level) size += normals.coordinates.size();
  return size;
}

TEST(ConditionalNormals, EffectsAreFoundWithTheirMeanAndScale) {
  const ConditionalLevels levels =
      levels_of("real mu; real<lower=0> tau; vector[8] a;",
                "mu ~ normal(0, 5); tau ~ normal(0, 1); a ~ normal(2 * mu + 1, 3 * sqrt(tau));");
  ASSERT_EQ(levels.size(), 1U);
  ASSERT_EQ(levels[0].size(), 1U);
  const ConditionalNormals& effects = levels[0][0];
  EXPECT_EQ(effects.coordinates, (std::vector<std::size_t>{2, 3, 4, 5, 6, 7, 8, 9}));
  EXPECT_NEAR(effects.location, 1.0, 1e-5);
  EXPECT_NEAR(effects.log_scale, std::log(3.0), 1e-5);
  ASSERT_EQ(effects.parents.size(), 2U);
  EXPECT_EQ(effects.parents[0].coordinate, 0U);
  EXPECT_EQ(effects.parents[0].location_slope, 2.0);
  EXPECT_EQ(effects.parents[0].log_scale_slope, 0.0);
  EXPECT_EQ(effects.parents[1].coordinate, 1U);
  EXPECT_EQ(effects.parents[1].location_slope, 0.0);
  EXPECT_EQ(effects.parents[1].log_scale_slope, 0.5);
}

TEST(ConditionalNormals, LevelsAreFoundFromBelow) {
  const ConditionalLevels levels =
      levels_of("real mu; vector<lower=0>[2] tau; vector[4] b; vector[8] a;",
                "mu ~ normal(0, 5); tau ~ normal(0, 1); b ~ normal(mu, tau[2]);"
                "for (j in 1:8) a[j] ~ normal(b[(j + 1) %/% 2], tau[1]);");
  ASSERT_EQ(levels.size(), 2U);
  EXPECT_EQ(size_of(levels[0]), 8U);
  EXPECT_EQ(levels[0][0].coordinates, (std::vector<std::size_t>{7, 8}));
  ASSERT_EQ(levels[1].size(), 1U);
  EXPECT_EQ(levels[1][0].coordinates, (std::vector<std::size_t>{3, 4, 5, 6}));
}

TEST(ConditionalNormals, RandomWalksAreTakenApart) {
  const ConditionalLevels levels = levels_of("real<lower=0> tau; vector[8] a;",
                                             "tau ~ normal(0, 1); a[1] ~ normal(0, 2);"
                                             "for (j in 2:8) a[j] ~ normal(a[j - 1], tau);");
  std::size_t found = 0;
  for (const auto& level : levels) found += size_of(level);
  EXPECT_GE(levels.size(), 3U);
  EXPECT_GE(found, 7U);
}

TEST(ConditionalNormals, ProgramsWithoutAHierarchyHaveNone) {
  EXPECT_TRUE(
      levels_of("vector[8] a; real<lower=0> s;", "a ~ normal(0, 2); s ~ normal(0, 1);").empty());
  EXPECT_TRUE(levels_of("real mu; real<lower=0> tau; vector[8] a;",
                        "a ~ student_t(3, 0, 1); mu ~ normal(0, 1); tau ~ gamma(2, 2);")
                  .empty());
  const LogDensity nowhere = [](std::span<const double>, std::span<double> gradient) {
    std::fill(gradient.begin(), gradient.end(), 1.0);
    return std::nan("");
  };
  EXPECT_TRUE(find_conditional_levels(nowhere, std::vector<double>(5, 0.0)).empty());
}

// A map with two levels, one coordinate of which has no information of its own.
CentringMap example_map() {
  ConditionalLevels levels = {
      {{.coordinates = {3, 4},
        .location = 0.5,
        .log_scale = -0.2,
        .parents = {{2, 1.5, 0.0}, {1, 0.0, 1.0}}}},
      {{.coordinates = {2}, .location = 0.0, .log_scale = 0.0, .parents = {{0, 1.0, 0.25}}}}};
  return {
      levels, {0.0, 0.0, 0.0, 1.0, -2.0}, {0.0, 0.0, 0.0, 4.0, 0.0}, std::vector<double>(5, 0.1)};
}

double some_density(std::span<const double> x, std::span<double> gradient) {
  double value = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double next = x[(i + 1) % x.size()];
    value += -0.5 * x[i] * x[i] + 0.3 * std::sin(x[i] * next);
    gradient[i] = -x[i];
  }
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::size_t j = (i + 1) % x.size();
    gradient[i] += 0.3 * x[j] * std::cos(x[i] * x[j]);
    gradient[j] += 0.3 * x[i] * std::cos(x[i] * x[j]);
  }
  return value;
}

TEST(CentringMap, IsUndone) {
  const CentringMap map = example_map();
  const std::vector<double> theta = {0.3, -0.7, 1.1, 0.4, -2.0};
  std::vector<double> point = theta;
  map.from_theta(point);
  EXPECT_EQ(point[0], theta[0]);
  EXPECT_NE(point[3], theta[3]);
  map.to_theta(point);
  for (std::size_t i = 0; i < theta.size(); ++i) EXPECT_NEAR(point[i], theta[i], 1e-12);
}

TEST(CentringMap, JacobianIsThatOfTheMap) {
  const CentringMap map = example_map();
  const std::vector<double> point = {0.3, -0.7, 1.1, 0.4, -2.0};
  std::vector<double> theta = point;
  const double log_jacobian = map.to_theta(theta);
  double product = 1.0;  // the map is triangular
  for (std::size_t i = 0; i < point.size(); ++i) {
    std::vector<double> moved = point;
    moved[i] += 1e-6;
    map.to_theta(moved);
    product *= (moved[i] - theta[i]) / 1e-6;
  }
  EXPECT_NEAR(log_jacobian, std::log(product), 1e-6);
}

TEST(CentringMap, GradientIsThatOfThePulledBackDensity) {
  const CentringMap map = example_map();
  const LogDensity density = some_density;
  const LogDensity pulled = map.pulled_back(density);
  std::vector<double> point = {0.3, -0.7, 1.1, 0.4, -2.0}, gradient(5), unused(5);
  pulled(point, gradient);
  for (std::size_t i = 0; i < point.size(); ++i) {
    constexpr double kStep = 1e-5;
    std::vector<double> above = point, below = point;
    above[i] += kStep;
    below[i] -= kStep;
    EXPECT_NEAR(gradient[i], (pulled(above, unused) - pulled(below, unused)) / (2.0 * kStep), 1e-7);
  }
}

// With a diagonal site, effects are independent of everything else and standard normal.
TEST(CentringMap, EffectsOfANormalHierarchyBecomeStandardNormal) {
  const BoundProgram program =
      program_with("real mu; real<lower=0> tau; vector[8] a;",
                   "mu ~ normal(0, 5); tau ~ normal(0, 1); a ~ normal(mu, tau);");
  const LogDensity prior = log_density_of(program.model.prior());
  std::vector<double> means(10, 0.0), precisions(10, 0.0);
  Site site{{}, {{}}};
  for (std::size_t j = 2; j < 10; ++j) {
    means[j] = std::sin(static_cast<double>(j));
    precisions[j] = static_cast<double>(j);
    site.used.push_back(j);
    site.components[0].mean.push_back(means[j]);
    site.components[0].precision.push_back(precisions[j]);
  }
  const SiteTarget target(prior, 10, site);
  const LogDensity density = [&](std::span<const double> theta, std::span<double> gradient) {
    return target.value_and_gradient(theta, gradient);
  };
  const std::vector<double> zeros(10, 0.0);
  const CentringMap map(find_conditional_levels(prior, zeros), means, precisions, zeros);
  const LogDensity pulled = map.pulled_back(density);
  for (const double log_tau : {-8.0, -2.0, 0.0, 3.0}) {
    std::vector<double> point = {0.7, log_tau, 1.0, -2.0, 0.5, 0.0, 0.3, 2.0, -1.0, 0.1};
    std::vector<double> gradient(10);
    pulled(point, gradient);
    for (std::size_t j = 2; j < 10; ++j) EXPECT_NEAR(gradient[j], -point[j], 1e-6);
  }
}

}  // namespace
}  // namespace dpvi
