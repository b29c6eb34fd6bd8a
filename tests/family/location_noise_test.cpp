#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include <dpvi/family/location_noise.hpp>
#include <dpvi/family/make_family.hpp>

namespace dpvi {
namespace {

constexpr std::size_t kSize = 3;
const std::vector<double> kCentre = {0.3, -1.2, 2.0};
const std::vector<double> kNoiseSds = {0.7, 0.0, 2.5};
const std::vector<double> kNoiseFactor = {0.7, 0.1, 0.0, -0.3, 0.2, 0.0, 0.0, 1.5, 0.0};

std::vector<double> part_of(PartShape shape) {
  switch (shape) {
    case PartShape::scales:
      return {0.9, 0.5, 1.1};
    case PartShape::triangle:
      return {1.5, 0, 0, -0.4, 0.8, 0, 0.2, 0.6, 0.5};
    case PartShape::columns:
      break;
  }
  return {0.3, -0.8, 0.6, 0.1, -0.2, 0.4};
}

Gaussian fitted(FamilyKind kind) {
  const SharedFamily family = make_family(kind, kSize, 2);
  std::vector<std::vector<double>> parts;
  for (const FactorPart& part : family->description().parts) parts.push_back(part_of(part.shape));
  return {family, family->parameters(kCentre, parts)};
}

// Covariance matrix of m + L eta, from the images of the unit vectors.
std::vector<double> covariance(const Gaussian& gaussian) {
  const Family& family = *gaussian.family;
  std::vector<double> result(kSize * kSize, 0.0), eta(family.draw_size(), 0.0), theta(kSize);
  for (double& entry : eta) {
    entry = 1.0;
    family.transform(gaussian.parameters, eta, theta);
    entry = 0.0;
    for (std::size_t i = 0; i < result.size(); ++i) {
      result[i] +=
          (theta[i / kSize] - kCentre[i / kSize]) * (theta[i % kSize] - kCentre[i % kSize]);
    }
  }
  return result;
}

std::vector<double> covariance(const LocationNoise& noise) {
  std::vector<double> result(kSize * kSize, 0.0), eta(noise.draw_size(), 0.0);
  for (double& entry : eta) {
    std::vector<double> theta(kSize, 0.0);
    entry = 1.0;
    noise.add_draw(eta, theta);
    entry = 0.0;
    for (std::size_t i = 0; i < result.size(); ++i)
      result[i] += theta[i / kSize] * theta[i % kSize];
  }
  return result;
}

std::vector<LocationNoise> noises() {
  return {LocationNoise::of_sds(kNoiseSds), LocationNoise::of_factor(kNoiseFactor, kSize)};
}

TEST(LocationNoise, CovariancesAddUpInEveryFamily) {
  for (const FamilyKind kind : kFamilies) {
    for (const LocationNoise& noise : noises()) {
      const Gaussian before = fitted(kind);
      const std::vector<double> total = covariance(with_noise(before, noise));
      const std::vector<double> first = covariance(before), second = covariance(noise);
      for (std::size_t i = 0; i < total.size(); ++i) {
        EXPECT_NEAR(total[i], first[i] + second[i], 1e-12) << name_of(kind) << ' ' << i;
      }
    }
  }
}

TEST(LocationNoise, TheLocationStaysWhereItIs) {
  for (const FamilyKind kind : kFamilies) {
    for (const LocationNoise& noise : noises()) {
      const Gaussian total = with_noise(fitted(kind), noise);
      const auto location = total.family->location(total.parameters);
      EXPECT_EQ(std::vector<double>(location.begin(), location.end()), kCentre);
    }
  }
}

TEST(LocationNoise, IndependentNoiseKeepsAFamilyWithScales) {
  const LocationNoise noise = LocationNoise::of_sds(kNoiseSds);
  for (const FamilyKind kind : {FamilyKind::mean_field, FamilyKind::low_rank}) {
    const Gaussian before = fitted(kind);
    EXPECT_EQ(with_noise(before, noise).family, before.family);
  }
}

TEST(LocationNoise, StandardDeviationsAreThoseOfTheDraws) {
  for (const LocationNoise& noise : noises()) {
    const std::vector<double> matrix = covariance(noise), sds = noise.standard_deviations();
    for (std::size_t i = 0; i < kSize; ++i) {
      EXPECT_NEAR(sds[i] * sds[i], matrix[i * kSize + i], 1e-12);
    }
  }
}

TEST(LocationNoise, NoNoiseChangesNothing) {
  const Gaussian before = fitted(FamilyKind::full_rank);
  const Gaussian after = with_noise(before, LocationNoise());
  EXPECT_EQ(after.parameters, before.parameters);
  EXPECT_TRUE(LocationNoise().standard_deviations().empty());
}

// Large noise in a direction in which the fit is very sure, and none in another.
TEST(LocationNoise, VeryDifferentSizesKeepTheirPrecision) {
  const SharedFamily family = make_family(FamilyKind::mean_field, 2);
  const Gaussian sure{family, family->parameters(std::vector<double>{0.0, 0.0}, {{1e-6, 1e6}})};
  const std::vector<double> along = {1.0, 0.0, 1e3, 0.0};
  const Gaussian total = with_noise(sure, LocationNoise::of_factor(along, 2));
  const std::vector<double> sds = total.family->standard_deviations(total.parameters);
  EXPECT_NEAR(sds[0], 1.0, 1e-9);
  EXPECT_NEAR(sds[1], std::hypot(1e3, 1e6), 1e-3);
}

TEST(LocationNoise, EntriesThatAreNotFiniteCountAsZero) {
  const double infinity = std::numeric_limits<double>::infinity();
  const LocationNoise noise = LocationNoise::of_sds({std::nan(""), 1.0, infinity});
  EXPECT_EQ(noise.standard_deviations(), (std::vector<double>{0.0, 1.0, 0.0}));
}

TEST(LocationNoise, AGaussianThatIsNotFiniteIsLeftAlone) {
  Gaussian diverged = fitted(FamilyKind::mean_field);
  diverged.parameters[1] = std::nan("");
  const Gaussian after = with_noise(diverged, LocationNoise::of_sds(kNoiseSds));
  EXPECT_EQ(after.family, diverged.family);
}

}  // namespace
}  // namespace dpvi
