#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include <dpvi/fit/prepare/prior_sample.hpp>
#include <tests/support/bound_program.hpp>

namespace dpvi {
namespace {

struct Sampled {
  BoundProgram program;
  PriorSample sample;

  std::vector<double> spread() const { return sample.spread(program.model.prior()); }
};

Sampled sampled(const std::string& parameters, const std::string& prior, std::size_t count) {
  BoundProgram program = bind_program("data { int N; vector[N] y; } parameters { " + parameters +
                                      " } model { " + prior + " y ~ normal(0, 1); }");
  SeededStream stream = SeededGenerator(3).stream({.label = StreamLabel::predictive_draw});
  PriorSample sample =
      sample_prior(program.model.prior(), program.model.dimension(), count, stream).value();
  return {std::move(program), std::move(sample)};
}

// Moments of a function of the draws.
template <class Function>
std::pair<double, double> moments_of(const PriorSample& sample, const Function& function) {
  double sum = 0.0, squares = 0.0;
  for (const std::vector<double>& theta : sample.theta) {
    sum += function(theta);
    squares += function(theta) * function(theta);
  }
  const auto count = static_cast<double>(sample.theta.size());
  return {sum / count, std::sqrt(squares / count - sum * sum / count / count)};
}

// A sampler that moves effects and scale one at a time would hardly leave its start.
TEST(PriorSample, ScalesOfManyEffectsFollowTheirOwnPrior) {
  constexpr std::size_t kCount = 400;
  for (const char* effects : {"a ~ normal(mu, tau);", "a ~ normal(0, tau);"}) {
    const Sampled found =
        sampled("real mu; real<lower=0> tau; vector[60] a;",
                std::string("mu ~ normal(1, 2); tau ~ lognormal(-2, 0.8);") + effects, kCount);
    const double error = 5.0 / std::sqrt(kCount);  // five standard errors of independent draws
    const auto [mean, sd] = moments_of(found.sample, [](const auto& theta) { return theta[1]; });
    EXPECT_NEAR(mean, -2.0, 0.8 * error);
    EXPECT_NEAR(sd, 0.8, 0.8 * error);
    // Effects in units of their scale are standard normal.
    const bool around_mu = std::string(effects).find("mu") != std::string::npos;
    const auto [centre, spread] = moments_of(found.sample, [&](const auto& theta) {
      return (theta[40] - (around_mu ? theta[0] : 0.0)) / std::exp(theta[1]);
    });
    EXPECT_NEAR(centre, 0.0, error);
    EXPECT_NEAR(spread, 1.0, error);
  }
}

TEST(PriorSample, SpreadIsThatOfThePriorNotOfItsCurvature) {
  const Sampled found = sampled("real mu; real<lower=0> tau; real heavy; real flat; vector[5] a;",
                                "mu ~ normal(60, 20); tau ~ normal(0, 0.5); heavy ~ cauchy(0, 1);"
                                "a ~ normal(0, tau);",
                                400);
  const std::vector<double> spread = found.spread();
  EXPECT_NEAR(spread[0], 20.0, 0.02);
  // Quartiles of the logarithm of a half-normal number: .3186 and 1.1503 standard deviations.
  EXPECT_NEAR(spread[1], std::log(1.1503 / 0.3186) / 1.349, 0.15);
  EXPECT_NEAR(spread[2], 2.0 / 1.349, 0.1);  // the quartiles of a Cauchy number are -1 and 1
  EXPECT_EQ(spread[3], std::numeric_limits<double>::infinity());
  EXPECT_FALSE(found.sample.proper[3]);
  EXPECT_GT(spread[4], 0.1);
  EXPECT_LT(spread[4], 0.6);
}

}  // namespace
}  // namespace dpvi
