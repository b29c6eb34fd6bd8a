#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include <dpvi/sample/site_target.hpp>

namespace dpvi {
namespace {

double flat(std::span<const double>, std::span<double> gradient) {
  std::fill(gradient.begin(), gradient.end(), 0.0);
  return 0.0;
}

double standard(std::span<const double> theta, std::span<double> gradient) {
  double sum = 0.0;
  for (std::size_t i = 0; i < theta.size(); ++i) {
    gradient[i] = -theta[i];
    sum -= 0.5 * theta[i] * theta[i];
  }
  return sum;
}

double log_normal_density(double x, double mean, double precision) {
  return 0.5 * std::log(precision / (2.0 * std::numbers::pi)) -
         0.5 * precision * (x - mean) * (x - mean);
}

void expect_gradient(const SiteTarget& target, std::vector<double> theta) {
  std::vector<double> gradient(theta.size()), unused(theta.size());
  target.value_and_gradient(theta, gradient);
  for (std::size_t i = 0; i < theta.size(); ++i) {
    constexpr double kStep = 1e-5;
    const double middle = theta[i];
    theta[i] = middle + kStep;
    const double above = target.value_and_gradient(theta, unused);
    theta[i] = middle - kStep;
    const double below = target.value_and_gradient(theta, unused);
    theta[i] = middle;
    EXPECT_NEAR(gradient[i], (above - below) / (2.0 * kStep), 1e-6 * (1.0 + std::abs(gradient[i])));
  }
}

TEST(SiteTarget, IsPriorTimesGaussianOfTheUsedCoordinates) {
  const Site site{{1, 3}, {{1.0, {0.5, -2.0}, {4.0, 0.25}}}};
  const SiteTarget target(standard, 4, site);
  const std::vector<double> theta = {0.3, 0.7, -1.2, 0.4};
  std::vector<double> gradient(4);
  const double prior = standard(theta, gradient);
  EXPECT_NEAR(target.value_and_gradient(theta, gradient),
              prior + log_normal_density(0.7, 0.5, 4.0) + log_normal_density(0.4, -2.0, 0.25),
              1e-12);
  expect_gradient(target, theta);
  EXPECT_EQ(target.precisions(), (std::vector<double>{0.0, 4.0, 0.0, 0.25}));
  EXPECT_EQ(target.means(), (std::vector<double>{0.0, 0.5, 0.0, -2.0}));
}

TEST(SiteTarget, DensePrecisionHasItsDeterminant) {
  const SiteTarget target(flat, 2, {{0, 1}, {{1.0, {1.0, 2.0}, {3.0, 1.0, 1.0, 2.0}}}});
  std::vector<double> gradient(2);
  const double at_mean = target.value_and_gradient(std::vector<double>{1.0, 2.0}, gradient);
  EXPECT_NEAR(at_mean, 0.5 * std::log(5.0) - std::log(2.0 * std::numbers::pi), 1e-12);
  const double away = target.value_and_gradient(std::vector<double>{2.0, 1.0}, gradient);
  EXPECT_NEAR(away - at_mean, -0.5 * (3.0 - 2.0 + 2.0), 1e-12);
  expect_gradient(target, {2.0, 1.0});
}

TEST(SiteTarget, MixturesAddDensities) {
  const Site site{{0}, {{1.0, {0.0}, {1.0}}, {3.0, {2.0}, {16.0}}}};
  const SiteTarget target(flat, 1, site);
  for (const double x : {-40.0, -1.0, 0.5, 1.9, 50.0}) {
    std::vector<double> gradient(1);
    const double one = std::log(0.25) + log_normal_density(x, 0.0, 1.0);
    const double other = std::log(0.75) + log_normal_density(x, 2.0, 16.0);
    const double larger = std::max(one, other);
    EXPECT_NEAR(target.value_and_gradient(std::vector<double>{x}, gradient),
                larger + std::log(std::exp(one - larger) + std::exp(other - larger)), 1e-9);
    expect_gradient(target, {x});
  }
}

TEST(SiteTarget, PrecisionThatIsNotPositiveDefiniteSaysNothingAboutSomeDirections) {
  // Eigenvalues 3 in the direction (1, 1) and -1 in (1, -1).
  const SiteTarget target(flat, 2, {{0, 1}, {{1.0, {0.0, 0.0}, {1.0, 2.0, 2.0, 1.0}}}});
  std::vector<double> gradient(2);
  const double centre = target.value_and_gradient(std::vector<double>{0.0, 0.0}, gradient);
  const double along = target.value_and_gradient(std::vector<double>{5.0, -5.0}, gradient);
  const double across = target.value_and_gradient(std::vector<double>{1.0, 1.0}, gradient);
  EXPECT_NEAR(along, centre, 1e-9);
  EXPECT_NEAR(across, centre - 3.0, 1e-9);
  const SiteTarget negative(flat, 1, {{0}, {{1.0, {0.0}, {-1.0}}}});
  EXPECT_EQ(negative.value_and_gradient(std::vector<double>{7.0}, gradient),
            negative.value_and_gradient(std::vector<double>{0.0}, gradient));
}

TEST(SiteTarget, WithoutComponentsIsThePrior) {
  const SiteTarget target(standard, 2, {});
  std::vector<double> gradient(2);
  EXPECT_EQ(target.value_and_gradient(std::vector<double>{1.0, 1.0}, gradient), -1.0);
}

}  // namespace
}  // namespace dpvi
