#include <gtest/gtest.h>

#include <cmath>

#include <dpvi/fit/prepare/prior_draw.hpp>
#include <tests/support/bound_program.hpp>

namespace dpvi {
namespace {

// Returns draws of the first unconstrained parameter.
std::vector<double> draws_of(const std::string& parameters, const std::string& prior, int count) {
  const BoundProgram program =
      bind_program("data { int N; vector[N] y; } parameters { " + parameters + " } model { " +
                   prior + " y ~ normal(0, 1); }");
  SeededStream stream = SeededGenerator(3).stream({.label = StreamLabel::predictive_draw});
  std::vector<double> found;
  for (int i = 0; i < count; ++i) {
    found.push_back(
        draw_from_prior(program.model.prior(), program.model.dimension(), stream).value().at(0));
  }
  return found;
}

double mean(const std::vector<double>& numbers) {
  double sum = 0;
  for (const double number : numbers) sum += number;
  return sum / static_cast<double>(numbers.size());
}

double sd(const std::vector<double>& numbers) {
  double squares = 0;
  for (const double number : numbers) squares += std::pow(number - mean(numbers), 2);
  return std::sqrt(squares / static_cast<double>(numbers.size() - 1));
}

TEST(PriorDraw, FollowsTheStatedPrior) {
  constexpr int kDraws = 300;
  const std::vector<double> normal = draws_of("real mu;", "mu ~ normal(60, 20);", kDraws);
  // Tolerances are four standard errors of the mean and of the sd.
  EXPECT_NEAR(mean(normal), 60, 4 * 20 / std::sqrt(kDraws));
  EXPECT_NEAR(sd(normal), 20, 4 * 20 / std::sqrt(2.0 * kDraws));
  const std::vector<double> log_scale =
      draws_of("real<lower=0> s;", "s ~ lognormal(1, 0.5);", kDraws);
  EXPECT_NEAR(mean(log_scale), 1, 4 * 0.5 / std::sqrt(kDraws));
  EXPECT_NEAR(sd(log_scale), 0.5, 4 * 0.5 / std::sqrt(2.0 * kDraws));
}

TEST(PriorDraw, OfWhatHasNoPriorStaysNearOne) {
  for (const char* parameters : {"real mu;", "real<lower=0> s;", "real<lower=0> s; real mu;"}) {
    for (const double draw : draws_of(parameters, "", 50)) EXPECT_LE(std::abs(draw), 1.0);
  }
}

TEST(PriorDraw, IsAbsentWhereThePriorHasNoValue) {
  const BoundProgram program = bind_program(
      "data { int N; vector[N] y; } parameters { real mu; }"
      "model { mu ~ normal(0, -1); y ~ normal(mu, 1); }");
  SeededStream stream = SeededGenerator(3).stream({.label = StreamLabel::predictive_draw});
  EXPECT_FALSE(draw_from_prior(program.model.prior(), 1, stream).has_value());
}

std::optional<PriorSpread> spread_of(const std::string& parameters, const std::string& prior) {
  const BoundProgram program =
      bind_program("data { int N; vector[N] y; } parameters { " + parameters + " } model { " +
                   prior + " y ~ normal(0, 1); }");
  SeededStream stream = SeededGenerator(3).stream({.label = StreamLabel::predictive_draw});
  return prior_spread(program.model.prior(), program.model.dimension(), stream);
}

// Tolerances are four standard errors of 200 draws.
TEST(PriorSpread, IsCentreAndStandardDeviationOfGaussianPriors) {
  const auto spread = spread_of("real mu; real nu;", "mu ~ normal(60, 20); nu ~ normal(-1, 0.01);");
  ASSERT_TRUE(spread);
  EXPECT_NEAR(spread->centre[0], 60.0, 8.0);
  EXPECT_NEAR(spread->sd[0], 20.0, 7.0);
  EXPECT_NEAR(spread->centre[1], -1.0, 0.004);
  EXPECT_NEAR(spread->sd[1], 0.01, 0.0035);
}

TEST(PriorSpread, IsInfiniteWithoutAPrior) {
  const auto spread = spread_of("real mu; real nu;", "nu ~ normal(0, 1);");
  ASSERT_TRUE(spread);
  EXPECT_TRUE(std::isinf(spread->sd[0]));
  EXPECT_NEAR(spread->sd[1], 1.0, 0.35);
}

TEST(PriorSpread, IsFiniteForHeavyTails) {
  const auto spread = spread_of("real mu;", "mu ~ cauchy(0, 1);");
  ASSERT_TRUE(spread);
  EXPECT_NEAR(spread->sd[0], 1.4826, 0.8);
}

// A sampler would hardly leave the neck of this funnel, where the effects are tiny.
TEST(PriorSpread, IsInfiniteWhereThePriorDependsOnOtherParameters) {
  const auto spread = spread_of("real mu; real<lower=0> tau; vector[12] a;",
                                "mu ~ normal(0, 1); tau ~ exponential(1); a ~ normal(0, tau);");
  ASSERT_TRUE(spread);
  EXPECT_NEAR(spread->sd[0], 1.0, 0.35);
  for (std::size_t i = 1; i < spread->sd.size(); ++i) EXPECT_TRUE(std::isinf(spread->sd[i])) << i;
}

TEST(PriorSpread, IsUnknownWithManyParameters) {
  EXPECT_FALSE(spread_of("vector[201] mu;", "mu ~ normal(0, 1);"));
}

}  // namespace
}  // namespace dpvi
