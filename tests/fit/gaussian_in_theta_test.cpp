#include <gtest/gtest.h>

#include <cmath>

#include <dpvi/family/make_family.hpp>
#include <dpvi/fit/train/gaussian_in_theta.hpp>

namespace dpvi {
namespace {

const Coordinates kTurned({1.0, -1.0}, {2.0, 0.0, 3.0, 0.5});

TEST(GaussianInTheta, OfFullRankHasTheTurnedCovariance) {
  const SharedFamily family = make_family(FamilyKind::full_rank, 2);
  const std::vector<double> inner = {0.5, 0.0, -0.25, 2.0};
  const auto in_z = family->parameters(std::vector<double>{1.0, 2.0}, {inner});
  const auto in_theta = gaussian_in_theta(*family, kTurned, in_z);
  EXPECT_NEAR(in_theta[0], 1.0 + 2.0 * 1.0, 1e-12);
  EXPECT_NEAR(in_theta[1], -1.0 + 3.0 * 1.0 + 0.5 * 2.0, 1e-12);
  const std::vector<double> factor = family->parts(in_theta)[0];
  EXPECT_NEAR(factor[0], 2.0 * 0.5, 1e-12);
  EXPECT_NEAR(factor[2], 3.0 * 0.5 + 0.5 * -0.25, 1e-12);
  EXPECT_NEAR(factor[3], 0.5 * 2.0, 1e-12);
}

// The covariance of theta is [[4 s^2, 6 s^2], [6 s^2, 9 s^2 + t^2 / 4]]. A conditional variance is
// the determinant divided by the other variance.
TEST(GaussianInTheta, OfMeanFieldHasTheConditionalStandardDeviations) {
  const SharedFamily family = make_family(FamilyKind::mean_field, 2);
  const double s = 0.1, t = 0.3;
  const auto in_z =
      family->parameters_of_scales(std::vector<double>{0.0, 0.0}, std::vector<double>{s, t});
  const auto scales = family->standard_deviations(gaussian_in_theta(*family, kTurned, in_z));
  const double a = 4 * s * s, b = 6 * s * s, c = 9 * s * s + t * t / 4;
  EXPECT_NEAR(scales[0], std::sqrt((a * c - b * b) / c), 1e-12);
  EXPECT_NEAR(scales[1], std::sqrt((a * c - b * b) / a), 1e-12);
}

// With three coordinates and one column, diag(s)^2 + b b' can represent any covariance whose
// correlations have a positive product. The transformed covariance is of that kind, so nothing is
// lost.
TEST(GaussianInTheta, OfLowRankHasTheTurnedCovarianceWhereOneColumnCanHoldIt) {
  const SharedFamily family = make_family(FamilyKind::low_rank, 3, 1);
  const Coordinates turned({1.0, 2.0, 3.0}, {1.0, 0, 0, 0.5, 1.0, 0, 0.4, 0.2, 1.0});
  const std::vector<double> location(3, 0.0), diagonal = {0.5, 0.6, 0.7}, column = {0.3, 0.2, 0.1};
  const auto in_theta =
      gaussian_in_theta(*family, turned, family->parameters(location, {diagonal, column}));
  EXPECT_EQ(in_theta[2], 3.0);
  const auto found_diagonal = family->parts(in_theta)[0];
  const auto found_column = family->parts(in_theta)[1];
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double expected = 0.0;
      for (std::size_t k = 0; k < 3; ++k) {
        for (std::size_t l = 0; l < 3; ++l) {
          const double inner = column[k] * column[l] + (k == l ? diagonal[k] * diagonal[k] : 0.0);
          expected += turned.factor(i, k) * inner * turned.factor(j, l);
        }
      }
      const double own = i == j ? found_diagonal[i] * found_diagonal[i] : 0.0;
      EXPECT_NEAR(found_column[i] * found_column[j] + own, expected, 2e-3) << i << ", " << j;
    }
  }
}

TEST(GaussianInTheta, OfLowRankInDiagonalCoordinatesScales) {
  const SharedFamily family = make_family(FamilyKind::low_rank, 2, 1);
  const Coordinates diagonal({0.0, 0.0}, {2.0, 0.0, 0.0, 3.0});
  const std::vector<double> location = {1.0, 1.0}, scales = {0.5, 0.25}, column = {0.1, -0.2};
  const auto in_theta =
      gaussian_in_theta(*family, diagonal, family->parameters(location, {scales, column}));
  EXPECT_NEAR(family->parts(in_theta)[0][1], 0.75, 1e-15);
  EXPECT_NEAR(family->parts(in_theta)[1][0], 0.2, 1e-15);
  EXPECT_NEAR(family->parts(in_theta)[1][1], -0.6, 1e-15);
}

TEST(GaussianInTheta, OfDiagonalCoordinatesScales) {
  const SharedFamily family = make_family(FamilyKind::mean_field, 2);
  const Coordinates diagonal({0.0, 0.0}, {2.0, 0.0, 0.0, 3.0});
  const auto in_z =
      family->parameters_of_scales(std::vector<double>{1.0, 1.0}, std::vector<double>{0.5, 0.5});
  const auto in_theta = gaussian_in_theta(*family, diagonal, in_z);
  EXPECT_EQ(in_theta[0], 2.0);
  EXPECT_EQ(in_theta[1], 3.0);
  EXPECT_NEAR(std::exp(in_theta[2]), 1.0, 1e-12);
  EXPECT_NEAR(std::exp(in_theta[3]), 1.5, 1e-12);
}

}  // namespace
}  // namespace dpvi
