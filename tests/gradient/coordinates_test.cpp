#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

#include <dpvi/gradient/coordinates.hpp>

namespace dpvi {
namespace {

constexpr std::size_t kLaneCount = 16;

// Some entries below the diagonal are zero, as in factors computed from mock records.
Coordinates some_coordinates(std::size_t size) {
  std::mt19937_64 engine(4);
  std::normal_distribution<double> law;
  std::vector<double> centre(size), factor(size * size, 0.0);
  for (std::size_t i = 0; i < size; ++i) {
    centre[i] = law(engine);
    for (std::size_t j = 0; j < i; ++j) factor[i * size + j] = (i + j) % 3 == 0 ? 0.0 : law(engine);
    factor[i * size + i] = std::exp(law(engine));
  }
  return {centre, factor};
}

std::vector<double> some_numbers(std::size_t count, std::uint64_t seed) {
  std::mt19937_64 engine(seed);
  std::normal_distribution<double> law;
  std::vector<double> numbers(count);
  for (double& number : numbers) number = law(engine);
  return numbers;
}

double inner(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

TEST(Coordinates, ThetaIsCentrePlusFactorTimesZ) {
  const Coordinates coordinates = some_coordinates(5);
  const std::vector<double> z = some_numbers(5, 1);
  std::vector<double> theta(5);
  coordinates.to_theta(z, theta);
  for (std::size_t i = 0; i < 5; ++i) {
    double expected = coordinates.centre()[i];
    for (std::size_t j = 0; j <= i; ++j) expected += coordinates.factor(i, j) * z[j];
    EXPECT_NEAR(theta[i], expected, 1e-12);
  }
}

// Checks that <gradient in theta, step in theta> = <gradient in z, step in z>.
TEST(Coordinates, PulledBackGradientMeasuresTheSameStep) {
  const Coordinates coordinates = some_coordinates(7);
  const std::vector<double> z = some_numbers(7, 1);
  const std::vector<double> by_theta = some_numbers(7, 2);
  std::vector<double> theta(7), by_z = by_theta;
  coordinates.to_theta(z, theta);
  for (std::size_t i = 0; i < 7; ++i) theta[i] -= coordinates.centre()[i];
  coordinates.pull_back(by_z);
  EXPECT_NEAR(inner(by_theta, theta), inner(by_z, z), 1e-12);
}

// Guarantee: what a lane becomes depends on that lane alone, bit for bit.
TEST(Coordinates, WhatALaneBecomesDependsOnThatLaneAloneBitForBit) {
  const std::size_t size = 6;
  const Coordinates coordinates = some_coordinates(size);
  const std::vector<double> record = some_numbers(size, 3);
  std::vector<double> alone = record;
  coordinates.pull_back(alone);
  const double hostile[] = {std::numeric_limits<double>::quiet_NaN(),
                            std::numeric_limits<double>::infinity(), 1e308, 5e-324, 0.0};
  for (std::size_t lane = 0; lane < kLaneCount; ++lane) {
    std::vector<double> block(size * kLaneCount);
    for (std::size_t i = 0; i < block.size(); ++i) block[i] = hostile[(i + lane) % 5];
    for (std::size_t j = 0; j < size; ++j) block[j * kLaneCount + lane] = record[j];
    coordinates.pull_back_lanes(std::span(block));
    for (std::size_t j = 0; j < size; ++j) EXPECT_EQ(block[j * kLaneCount + lane], alone[j]);
  }
}

TEST(Coordinates, IdentityChangesNothing) {
  const Coordinates identity = Coordinates::identity(3);
  EXPECT_TRUE(identity.is_diagonal());
  const std::vector<double> numbers = some_numbers(3 * kLaneCount, 5);
  std::vector<double> block = numbers;
  identity.pull_back_lanes(std::span(block));
  EXPECT_EQ(block, numbers);
  std::vector<double> theta(3);
  identity.to_theta(std::vector<double>{1.0, 2.0, 3.0}, theta);
  EXPECT_EQ(theta, (std::vector<double>{1.0, 2.0, 3.0}));
  EXPECT_FALSE(some_coordinates(3).is_diagonal());
}

}  // namespace
}  // namespace dpvi
