#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numbers>
#include <string>

#include <dpvi/api/prior_curves.hpp>
#include <tests/api/door_example.hpp>

namespace dpvi {
namespace {

// Curves by the place of their output: scale, level, cuts.1, cuts.2, effect, flat.
std::map<std::size_t, PriorCurve> curves_of(const char* text) {
  const Program program = read_program({.model_file = "prior.stan", .model_text = text});
  const BoundModel bound = bind_without_table(program);
  const std::vector<double> location(bound.model.dimension(), 0.1);
  SeededStream stream = SeededGenerator(1).stream({.label = StreamLabel::initial_value, .step = 3});
  const auto spread = prior_spread(bound.model.prior(), location.size(), stream);
  EXPECT_TRUE(spread);
  std::map<std::size_t, PriorCurve> curves;
  for (PriorCurve& curve : prior_curves(bound.model, location, *spread)) {
    curves[curve.output] = std::move(curve);
  }
  return curves;
}

constexpr const char* kPriors = R"(
data { int<lower=0> N; vector[N] y; }
parameters {
  real<lower=0> scale;
  real level;
  ordered[2] cuts;
  real effect;
  real flat;
}
model {
  scale ~ lognormal(0.5, 0.4);
  level ~ normal(3, 2);
  cuts ~ normal(0, 1);
  effect ~ normal(0, scale);
  y ~ normal(level + effect + flat + cuts[1], scale);
}
)";

TEST(PriorCurves, AreTheDensitiesOfTheConstrainedParameters) {
  const auto curves = curves_of(kPriors);
  ASSERT_TRUE(curves.contains(1));
  const PriorCurve& level = curves.at(1);
  for (std::size_t k = 0; k < level.value.size(); ++k) {
    const double z = (level.value[k] - 3.0) / 2.0;
    EXPECT_NEAR(level.density[k],
                std::exp(-0.5 * z * z) / (2.0 * std::sqrt(2.0 * std::numbers::pi)), 2e-3);
  }
}

TEST(PriorCurves, ATransformedParameterHasItsOwnDensity) {
  const auto curves = curves_of(R"(
data { int<lower=0> N; vector[N] y; }
parameters { real<lower=0> scale; }
model { scale ~ lognormal(0.5, 0.4); y ~ normal(0, scale); }
)");
  ASSERT_TRUE(curves.contains(0));
  const PriorCurve& scale = curves.at(0);
  for (std::size_t k = 1; k + 1 < scale.value.size(); ++k) {
    const double z = (std::log(scale.value[k]) - 0.5) / 0.4;
    const double density =
        std::exp(-0.5 * z * z) / (scale.value[k] * 0.4 * std::sqrt(2.0 * std::numbers::pi));
    EXPECT_NEAR(scale.density[k], density, 0.02 * density + 1e-3);
  }
}

TEST(PriorCurves, ParametersThatDependOnOthersOrHaveNoPriorHaveNone) {
  const auto curves = curves_of(kPriors);
  EXPECT_FALSE(curves.contains(3));  // the second cut lies above the first
  EXPECT_FALSE(curves.contains(4));  // its prior has another parameter as its scale
  EXPECT_FALSE(curves.contains(5));  // no prior
}

double density_at(const PriorCurve& curve, double value) {
  for (std::size_t k = 1; k < curve.value.size(); ++k) {
    if (curve.value[k] < value) continue;
    const double share = (value - curve.value[k - 1]) / (curve.value[k] - curve.value[k - 1]);
    return curve.density[k - 1] + share * (curve.density[k] - curve.density[k - 1]);
  }
  return 0.0;
}

TEST(PriorCurves, HierarchiesSimplexesAndTransformedParametersAreDrawn) {
  const auto curves = curves_of(R"(
data { int<lower=0> N; vector[N] y; }
parameters { real<lower=0> scale; vector[2] effect; simplex[2] share; }
transformed parameters { real shifted = 10 + 3 * effect[1]; }
model {
  scale ~ normal(0, 1);
  effect ~ normal(0, scale);
  share ~ dirichlet([3, 1]');
  y ~ normal(shifted + effect[2] + share[1], 1);
}
)");
  ASSERT_EQ(curves.size(), 6U);
  const auto half_normal = [](double x) {
    return std::sqrt(2.0 / std::numbers::pi) * std::exp(-0.5 * x * x);
  };
  // Densities of 1000 or more draws: about a tenth off.
  for (const double x : {0.1, 0.5, 1.0, 1.5}) {
    EXPECT_NEAR(density_at(curves.at(0), x), half_normal(x), 0.12) << x;
  }
  // The marginal of an effect is K0(|x|) / pi: 0.2942 at 0.5 and 0.134 at 1.
  for (const std::size_t effect : {1U, 2U}) {
    for (const auto& [x, density] : {std::pair(0.5, 0.2942), std::pair(1.0, 0.1340)}) {
      EXPECT_NEAR(density_at(curves.at(effect), x), density, 0.07) << effect;
      EXPECT_NEAR(density_at(curves.at(effect), -x), density, 0.07) << effect;
    }
  }
  for (const double x : {0.5, 0.8}) {
    EXPECT_NEAR(density_at(curves.at(3), x), 3.0 * x * x, 0.3) << x;  // beta(3, 1)
  }
  EXPECT_NEAR(density_at(curves.at(5), 11.5), 0.2942 / 3.0, 0.03);
}

TEST(PriorCurves, BesideAParameterWithoutPriorNothingIsEstimated) {
  const auto curves = curves_of(R"(
data { int<lower=0> N; vector[N] y; }
parameters { real mean; real<lower=0> scale; real effect; }
model {
  scale ~ lognormal(0, 1);
  effect ~ normal(mean, scale);
  y ~ normal(effect, 1);
}
)");
  EXPECT_FALSE(curves.contains(2));  // it lies wherever the mean lies
}

TEST(PriorCurves, AFitKeepsThePathTheForecastAndThePriors) {
  const WardRecords records;
  const FitRequest request{.privacy = {.epsilon = 1.0, .steps = 50}, .settings = {.draws = 20}};
  UnopenedFit planned = plan_fit(ward_program(), records.in_memory(), request);
  const auto forecast = planned.planned().forecast();
  const FitResult result = fit(open_records(std::move(planned)), {.threads = 1});
  ASSERT_EQ(result.trace.path.steps().size(), 50U);
  EXPECT_EQ(result.trace.path.steps().back(), 50);
  EXPECT_EQ(result.trace.path.iterates().back().size(), 3U);
  ASSERT_TRUE(result.forecast);
  EXPECT_EQ(result.forecast->noise_sd, forecast->noise_sd);
  EXPECT_EQ(result.prior_curves.size(), 3U);
}

}  // namespace
}  // namespace dpvi
