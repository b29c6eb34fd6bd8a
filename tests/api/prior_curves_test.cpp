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
