#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include <dpvi/family/make_family.hpp>
#include <dpvi/fit/train/fit_draws.hpp>
#include <tests/support/bound_program.hpp>

namespace dpvi {
namespace {

constexpr std::int64_t kDraws = 20000;

// Outputs: m, s, the derived difference d and product e.
constexpr const char* kProgram =
    "data { int N; vector[N] y; }\n"
    "parameters { real m; real<lower=0> s; }\n"
    "transformed parameters { real d = m - log(s); real e = m * s; }\n"
    "model { m ~ normal(0, 1); s ~ lognormal(0, 1); y ~ normal(m, s); }\n";

FitResult result_with(const LocationNoise& noise) {
  const SharedFamily family = make_family(FamilyKind::mean_field, 2);
  FitResult result{};
  result.fitted = {family, family->parameters(std::vector<double>{1.0, -1.0}, {{0.3, 0.2}})};
  result.location_noise = noise;
  result.total = with_noise(result.fitted, noise);
  return result;
}

double sd_of(const FitResult& result, std::size_t output) {
  double sum = 0.0, squares = 0.0;
  for (const std::vector<double>& draw : result.draws) {
    sum += draw[output];
    squares += draw[output] * draw[output];
  }
  const double mean = sum / kDraws;
  return std::sqrt(squares / kDraws - mean * mean);
}

// Relative error of a standard deviation of kDraws normal draws, five times.
constexpr double kTolerance = 0.025;

void expect_sds(const FitResult& result, std::size_t output, double model, double privacy) {
  EXPECT_NEAR(result.sd_model[output], model, kTolerance * model);
  EXPECT_NEAR(result.sd_privacy[output], privacy, kTolerance * privacy + 1e-12);
  const double total = std::hypot(model, privacy);
  EXPECT_NEAR(sd_of(result, output), total, kTolerance * total);
}

// The noise moves m and log s together, so it cancels in d, and only the model's part is left.
TEST(FitDraws, DrawsAndDerivedQuantitiesCarryBothParts) {
  const BoundProgram bound = bind_program(kProgram);
  FitResult result = result_with(LocationNoise::of_factor({0.4, 0.0, 0.4, 0.0}, 2));
  add_draws(result, bound.model, nullptr, kDraws, 7);
  ASSERT_EQ(result.outputs.size(), 4U);
  expect_sds(result, 0, 0.3, 0.4);
  expect_sds(result, 2, std::hypot(0.3, 0.2), 0.0);
  for (const std::vector<double>& draw : result.draws) {
    EXPECT_NEAR(draw[2], draw[0] - std::log(draw[1]), 1e-9);
    EXPECT_NEAR(draw[3], draw[0] * draw[1], 1e-9);
  }
}

TEST(FitDraws, LogDensityIsThatOfTheTotal) {
  const BoundProgram bound = bind_program(kProgram);
  FitResult result = result_with(LocationNoise::of_sds({0.4, 0.1}));
  add_draws(result, bound.model, nullptr, 10, 8);
  const double first = std::hypot(0.3, 0.4), second = std::hypot(0.2, 0.1);
  for (std::size_t i = 0; i < result.draws.size(); ++i) {
    const double z = (result.draws[i][0] - 1.0) / first;
    const double w = (std::log(result.draws[i][1]) + 1.0) / second;
    const double expected =
        -0.5 * (z * z + w * w) - std::log(first * second) - std::log(2.0 * std::numbers::pi);
    EXPECT_NEAR(result.log_density[i], expected, 1e-9);
  }
}

// From the prior of a program and a site to the draws of a result.
TEST(FitDraws, SampledChainsAreTransformedAndGiveTheMoments) {
  const BoundProgram bound = bind_program(kProgram);
  const Site site{{0, 1}, {{1.0, {2.0, -0.5}, {100.0, 0.0, 0.0, 25.0}}}};
  SampledPosterior posterior = sample_posterior(bound.model.prior(), site, {}, SeededGenerator(3));
  const std::vector<std::vector<double>> theta = posterior.theta;
  FitResult result{};
  add_chains(result, bound.model, nullptr, std::move(posterior), 7);
  ASSERT_EQ(result.draws.size(), theta.size());
  for (std::size_t i = 0; i < theta.size(); ++i) {
    EXPECT_NEAR(result.draws[i][0], theta[i][0], 1e-9);
    EXPECT_NEAR(result.draws[i][1], std::exp(theta[i][1]), 1e-9);
    EXPECT_NEAR(result.draws[i][3], theta[i][0] * std::exp(theta[i][1]), 1e-9);
  }
  ASSERT_TRUE(result.sampled);
  EXPECT_EQ(result.sampled->chains * result.sampled->draws_per_chain, theta.size());
  EXPECT_EQ(result.sampled->diagnostics.size(), 2U);
  EXPECT_EQ(result.log_density[5], result.sampled->statistics[5].log_density);
  // m and log s are independent normals with precisions 1 + 100 and 1 + 25.
  const auto& [family, parameters] = result.total;
  const std::vector<double> sds = family->standard_deviations(parameters);
  const auto location = family->location(parameters);
  const std::vector<ChainDiagnostics>& diagnostics = result.sampled->diagnostics;
  EXPECT_NEAR(location[0], 2.0 * 100.0 / 101.0, 4.0 * diagnostics[0].mcse_mean);
  EXPECT_NEAR(location[1], -0.5 * 25.0 / 26.0, 4.0 * diagnostics[1].mcse_mean);
  EXPECT_NEAR(sds[0] * std::sqrt(101.0), 1.0, 0.1);
  EXPECT_NEAR(sds[1] * std::sqrt(26.0), 1.0, 0.1);
  EXPECT_EQ(result.sd_model.size(), result.at_location.size());
}

TEST(FitDraws, WithoutNoiseOnlyTheModelsPartIsLeft) {
  const BoundProgram bound = bind_program(kProgram);
  FitResult result = result_with({});
  add_draws(result, bound.model, nullptr, kDraws, 9);
  expect_sds(result, 0, 0.3, 0.0);
}

// One draw has no standard deviation of its own, but the parts are still known.
TEST(FitDraws, PartsAreKnownWithFewDraws) {
  const BoundProgram bound = bind_program(kProgram);
  FitResult result = result_with(LocationNoise::of_sds({0.4, 0.1}));
  add_draws(result, bound.model, nullptr, 1, 10);
  EXPECT_EQ(result.draws.size(), 1U);
  EXPECT_NEAR(result.sd_model[0], 0.3, 0.1);
  EXPECT_NEAR(result.sd_privacy[0], 0.4, 0.13);
}

}  // namespace
}  // namespace dpvi
