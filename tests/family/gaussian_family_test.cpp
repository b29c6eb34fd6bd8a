#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include <dpvi/family/gaussian_family.hpp>

namespace dpvi {
namespace {

const std::vector<double> kLocation = {0.3, -1.2, 2.0};
const std::vector<double> kFactor = {1.5, 0, 0, -0.4, 0.8, 0, 0.2, 0.6, 0.5};
const std::vector<double> kEta = {0.7, -1.1, 0.4};

// log p(theta) = sum of sin(theta_i) * i-dependent weight: any smooth function will do.
double log_p(const std::vector<double>& theta) {
  return std::sin(theta[0]) + 2.0 * std::sin(theta[1]) - theta[0] * theta[2];
}
std::vector<double> log_p_gradient(const std::vector<double>& theta) {
  return {std::cos(theta[0]) - theta[2], 2.0 * std::cos(theta[1]), -theta[0]};
}

double objective(const GaussianFamily& family, const std::vector<double>& parameters) {
  std::vector<double> theta(3);
  family.transform(parameters, kEta, theta);
  double entropy = 0.0;
  for (std::size_t i = 3; i < 6; ++i) entropy += parameters[i];
  return log_p(theta) + entropy;
}

class GaussianFamilyKinds : public testing::TestWithParam<FamilyKind> {};

TEST_P(GaussianFamilyKinds, PullBackIsTheGradientOfTheDrawnObjective) {
  const GaussianFamily family(GetParam(), 3);
  const std::vector<double> parameters = family.parameters(kLocation, kFactor);
  std::vector<double> theta(3), gradient(family.parameter_count());
  family.transform(parameters, kEta, theta);
  family.pull_back(parameters, kEta, log_p_gradient(theta), gradient);
  constexpr double kStep = 1e-6;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    std::vector<double> above = parameters, below = parameters;
    above[i] += kStep;
    below[i] -= kStep;
    const double slope = (objective(family, above) - objective(family, below)) / (2 * kStep);
    EXPECT_NEAR(gradient[i], slope, 1e-8) << i;
  }
}

TEST_P(GaussianFamilyKinds, StandardDeviationsAreThoseOfTheFactor) {
  const GaussianFamily family(GetParam(), 3);
  const auto sds = family.standard_deviations(family.parameters(kLocation, kFactor));
  EXPECT_NEAR(sds[1], std::hypot(0.4, 0.8), 1e-14);
  EXPECT_NEAR(sds[2], std::sqrt(0.04 + 0.36 + 0.25), 1e-14);
}

INSTANTIATE_TEST_SUITE_P(Kinds, GaussianFamilyKinds,
                         testing::Values(FamilyKind::mean_field, FamilyKind::full_rank));

TEST(GaussianFamily, FullRankKeepsTheFactor) {
  const GaussianFamily family(FamilyKind::full_rank, 3);
  const auto parameters = family.parameters(kLocation, kFactor);
  ASSERT_EQ(parameters.size(), 9u);
  const auto factor = family.factor(parameters);
  for (std::size_t i = 0; i < 9; ++i) EXPECT_NEAR(factor[i], kFactor[i], 1e-15);
}

TEST(GaussianFamily, LogDensityIsThatOfTheGaussian) {
  const GaussianFamily family(FamilyKind::full_rank, 3);
  const auto parameters = family.parameters(kLocation, kFactor);
  const double half_squares = 0.5 * (0.49 + 1.21 + 0.16);
  const double expected = -1.5 * std::log(2 * M_PI) - std::log(1.5 * 0.8 * 0.5) - half_squares;
  EXPECT_NEAR(family.log_density(parameters, kEta), expected, 1e-13);
}

}  // namespace
}  // namespace dpvi
