#include <gtest/gtest.h>

#include <cmath>

#include <dpvi/family/moment_gaussian.hpp>

namespace dpvi {
namespace {

TEST(MomentGaussian, HasMeanAndCovarianceOfTheDraws) {
  const Gaussian gaussian = moment_gaussian({{1.0, 0.0}, {3.0, 2e-9}, {2.0, 4e-9}});
  EXPECT_EQ(gaussian.family->description().covariances, CovarianceClass::any);
  const auto location = gaussian.family->location(gaussian.parameters);
  EXPECT_NEAR(location[0], 2.0, 1e-12);
  EXPECT_NEAR(location[1], 2e-9, 1e-20);
  // Variances 1 and 4e-18, covariance 1e-9.
  const std::vector<double> factor = gaussian.family->parts(gaussian.parameters)[0];
  EXPECT_NEAR(factor[0], 1.0, 1e-12);
  EXPECT_NEAR(factor[2], 1e-9, 1e-20);
  EXPECT_NEAR(std::hypot(factor[2], factor[3]), 2e-9, 1e-20);
}

TEST(MomentGaussian, IsMeanFieldIfTheCovarianceIsSingular) {
  const Gaussian gaussian = moment_gaussian({{1.0, 2.0, 5.0}, {2.0, 4.0, 5.0}});
  EXPECT_EQ(gaussian.family->description().covariances, CovarianceClass::diagonal);
  const std::vector<double> sds = gaussian.family->standard_deviations(gaussian.parameters);
  EXPECT_NEAR(sds[0], std::sqrt(0.5), 1e-12);
  EXPECT_NEAR(sds[1], std::sqrt(2.0), 1e-12);
  EXPECT_GT(sds[2], 0.0);
  EXPECT_LT(sds[2], 1e-100);
}

}  // namespace
}  // namespace dpvi
