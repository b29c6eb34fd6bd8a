#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include <dpvi/family/make_family.hpp>
#include <dpvi/fit/train/noise_in_prior.hpp>
#include <tests/support/bound_program.hpp>

namespace dpvi {
namespace {

constexpr std::size_t kGroups = 20;

// Effects with a scale that no record uses. The first entry of theta is the log of the scale.
BoundProgram groups() {
  return bind_program(
      "data { int N; array[N] int<lower=1, upper=20> g; vector[N] y; }\n"
      "parameters { real<lower=0> tau; vector[20] a; }\n"
      "model { tau ~ normal(0, 1); a ~ normal(0, tau); y ~ normal(a[g], 1); }\n");
}

std::vector<double> move_with(double noise_sd) {
  const BoundProgram bound = groups();
  const SharedFamily family = make_family(FamilyKind::mean_field, kGroups + 1);
  // Effects of size .1 around zero, so the scale is near .1.
  std::vector<double> location(kGroups + 1), scales(kGroups + 1, 0.01),
      noise(kGroups + 1, noise_sd);
  location[0] = std::log(0.1);
  scales[0] = 1.0 / std::sqrt(2.0 * kGroups);
  noise[0] = 0.0;
  for (std::size_t i = 1; i <= kGroups; ++i) location[i] = i % 2 == 0 ? 0.1 : -0.1;
  const Gaussian fitted{family, family->parameters(location, {scales})};
  return move_by_hidden_noise(fitted, LocationNoise::of_sds(noise), bound.model.prior(),
                              bound.model.used_by_records());
}

// With noise s on effects of scale t, the gradient by log t grows by J (s / t)^2. The curvature is
// 2 J, so the move is (s / t)^2 / 2, and a little more because t is uncertain.
TEST(NoiseInPrior, AScaleMovesByTheNoiseOfTheEffectsThatItGoverns) {
  EXPECT_NEAR(move_with(0.05)[0], 0.125, 0.04);
  EXPECT_NEAR(move_with(0.3)[0], 4.5, 1.0);
}

TEST(NoiseInPrior, WithoutNoiseNothingMoves) {
  EXPECT_EQ(move_with(0.0), std::vector<double>(kGroups + 1, 0.0));
}

TEST(NoiseInPrior, ParametersThatRecordsUseDoNotMove) {
  const std::vector<double> move = move_with(0.3);
  for (std::size_t i = 1; i < move.size(); ++i) EXPECT_EQ(move[i], 0.0);
}

}  // namespace
}  // namespace dpvi
