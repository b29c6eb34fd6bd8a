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

}  // namespace
}  // namespace dpvi
