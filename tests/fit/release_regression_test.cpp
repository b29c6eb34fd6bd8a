#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include <dpvi/fit/train/release_regression.hpp>

namespace dpvi {
namespace {

constexpr int kSteps = 1000;
const std::vector<bool> kBothUsed = {true, true};

// Gradients of a Gaussian with precision [[4, off], [off, 4]], taken at random points around its
// mean.
ReleaseRegression run_with(double off, double noise_sd, double wander, unsigned seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  ReleaseRegression releases(kSteps, 1.0, 2);
  for (int step = 0; step < kSteps; ++step) {
    const double x = wander * normal(random), y = wander * normal(random);
    const std::vector<double> gradient = {-4.0 * x - off * y + noise_sd * normal(random),
                                          -off * x - 4.0 * y + noise_sd * normal(random)};
    releases.add(std::vector<double>{x, y}, gradient, {.variance = noise_sd * noise_sd});
  }
  return releases;
}

double sd_of_first(const std::vector<double>& factor) { return std::hypot(factor[0], factor[1]); }

// The inverse of [[4, 3], [3, 4]] is [[4, -3], [-3, 4]] / 7.
TEST(ReleaseRegression, FindsCorrelationsThatTheFittedGaussianDoesNotHave) {
  const double noise = 2.0;
  const std::vector<double> scales = {0.5, 0.5};
  const auto factor = run_with(3.0, noise, 1.0, 1).estimate(scales, kBothUsed).factor;
  const double exact = std::hypot(4.0, 3.0) / 7.0 * noise / std::sqrt(kSteps);
  EXPECT_NEAR(sd_of_first(factor), exact, 0.15 * exact);
}

TEST(ReleaseRegression, KeepsTheFittedCurvatureWhereNoiseHidesTheTrueOne) {
  const double noise = 1000.0;
  const std::vector<double> scales = {0.5, 0.5};
  const auto factor = run_with(3.0, noise, 0.5, 2).estimate(scales, kBothUsed).factor;
  const double fitted = 0.25 * noise / std::sqrt(kSteps);
  EXPECT_NEAR(sd_of_first(factor), fitted, 0.5 * fitted);
}

TEST(ReleaseRegression, CoordinatesThatNoRecordUsesHaveNoNoiseOfTheirOwn) {
  const std::vector<double> scales = {0.5, 0.5};
  const auto factor = run_with(0.0, 5.0, 1.0, 3).estimate(scales, {true, false}).factor;
  EXPECT_EQ(factor[1], 0.0);
  EXPECT_EQ(factor[3], 0.0);
  EXPECT_GT(factor[0], 0.0);
}

TEST(ReleaseRegression, NorDoTheyTakeNoiseFromThoseThatAreUsed) {
  const double noise = 1000.0;
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal;
  ReleaseRegression releases(kSteps, 1.0, 2);
  for (int step = 0; step < kSteps; ++step) {
    const double x = normal(random), y = normal(random);
    releases.add(std::vector<double>{x, y},
                 std::vector<double>{-4.0 * x + noise * normal(random), -4.0 * y},
                 {.variance = noise * noise});
  }
  const std::vector<double> scales = {0.5, 0.5};
  const auto factor = releases.estimate(scales, {true, false}).factor;
  EXPECT_LT(std::abs(factor[2]), 0.01 * factor[0]);
}

TEST(ReleaseRegression, SamplingAloneLeavesTheShareOfTheInformationThatItHides) {
  ReleaseRegression releases(kSteps, 1.0, 1);
  std::mt19937_64 random(4);
  std::normal_distribution<double> normal;
  for (int step = 0; step < kSteps; ++step) {
    const double x = normal(random);
    releases.add(std::vector<double>{x}, std::vector<double>{-4.0 * x + 6.0 * normal(random)},
                 {.variance = 0.0, .sampling = 9.0});
  }
  const std::vector<double> scale = {0.5};
  const auto factor = releases.estimate(scale, {true}).factor;
  // The variance of a step's gradient is nine times the information 4, which is 6^2.
  const double exact = 6.0 / 4.0 / std::sqrt(kSteps);
  EXPECT_NEAR(factor[0], exact, 0.15 * exact);
}

// The fitted curvature is 1 / scale^2, so the error of a coordinate is scale^2 times the mean
// noise.
TEST(ReleaseRegression, ManyCoordinatesHaveTheErrorThatTheirFittedCurvatureImplies) {
  const std::size_t size = ReleaseRegression::kMaxCoordinates + 1;
  ReleaseRegression releases(kSteps, 0.5, size);
  const std::vector<double> zeros(size, 0.0);
  for (int step = 0; step < kSteps; ++step) releases.add(zeros, zeros, {.variance = 9.0});
  std::vector<double> scales(size, 0.5);
  std::vector<bool> used(size, true);
  scales[1] = 2.0;
  used[2] = false;
  const std::vector<double> sds = releases.location_sds(scales, used);
  const double mean_noise = 3.0 / std::sqrt(0.5 * kSteps);
  EXPECT_NEAR(sds[0], 0.25 * mean_noise, 1e-12);
  EXPECT_NEAR(sds[1], 4.0 * mean_noise, 1e-12);
  EXPECT_EQ(sds[2], 0.0);
  EXPECT_TRUE(ReleaseRegression(kSteps, 0.5, size).location_sds(scales, used).empty());
}

TEST(ReleaseRegression, SaysNothingOfTooFewStepsOrTooManyCoordinates) {
  ReleaseRegression few(10, 1.0, 1);
  for (int step = 0; step < 10; ++step) {
    few.add(std::vector<double>{1.0 * step}, std::vector<double>{1.0}, {.variance = 1.0});
  }
  const std::vector<double> one(1, 1.0);
  EXPECT_TRUE(few.estimate(one, {true}).factor.empty());
  const std::size_t many = ReleaseRegression::kMaxCoordinates + 1;
  ReleaseRegression wide(100, 1.0, many);
  const std::vector<double> ones(many, 1.0);
  for (int step = 0; step < 100; ++step) wide.add(ones, ones, {.variance = 1.0});
  EXPECT_TRUE(wide.estimate(ones, std::vector<bool>(many, true)).factor.empty());
}

}  // namespace
}  // namespace dpvi
