#include <gtest/gtest.h>

#include <dpvi/random/internal/gaussian_intervals.hpp>
#include <tests/random/oracle.hpp>

namespace dpvi {
namespace {

constexpr const GaussianIntervals& kTables = kGaussianIntervals;

Oracle density(std::size_t j) {
  const Oracle x = Oracle(j) / 64;
  return kTables.peak * exp(-x * x / 2);
}

TEST(GaussianIntervals, WeightsAreNeverBelowTheDensity) {
  for (std::size_t j = 0; j < kGaussianIntervalCount; ++j) {
    ASSERT_TRUE(Oracle(kTables.weight[j]) >= density(j)) << j;
  }
}

TEST(GaussianIntervals, SurelyBelowIsNeverAboveTheDensity) {
  for (std::size_t j = 0; j < kGaussianIntervalCount; ++j) {
    const Oracle height = Oracle(kTables.surely_below[j]) * kTables.weight[j] * two_to(-45);
    ASSERT_TRUE(height <= density(j + 1)) << j;
  }
}

// Nearly every proposal is decided immediately, and nearly every one is kept. This concerns speed,
// not exactness.
TEST(GaussianIntervals, BoundsAreTight) {
  double decided_at_once = 0;
  double kept = 0;
  for (std::size_t j = 0; j < kGaussianIntervalCount; ++j) {
    const double chance = static_cast<double>(kTables.weight[j]) * 0x1p-63;
    decided_at_once += chance * static_cast<double>(kTables.surely_below[j]) * 0x1p-45;
    kept += static_cast<double>(density(j) + density(j + 1)) / 2 * 0x1p-63;
  }
  EXPECT_GT(decided_at_once, 0.987);
  EXPECT_GT(kept, 0.993);
}

TEST(GaussianIntervals, ColumnsDrawEachIntervalWithItsWeightExactly) {
  constexpr std::uint64_t kCapacity = std::uint64_t{1} << kGaussianColumnBits;
  std::vector<std::uint64_t> weight(kGaussianIntervalCount, 0);
  for (std::size_t column = 0; column < kGaussianIntervalCount; ++column) {
    const GaussianColumn& packed = kTables.columns[column];
    ASSERT_LT(packed.other(), kGaussianIntervalCount);
    weight[column] += packed.threshold();
    weight[packed.other()] += kCapacity - packed.threshold();
  }
  for (std::size_t j = 0; j < kGaussianIntervalCount; ++j) {
    ASSERT_EQ(weight[j], kTables.weight[j]) << j;
  }
}

// Guarantee: each draw is within 2^-100 of its law in total variation. Only the mass beyond 16
// standard deviations is missing.
TEST(GaussianIntervals, CutRemovesLessThanTwoToTheMinus188) {
  EXPECT_TRUE(gaussian_two_tails(Oracle(16)) < two_to(-188));
}

}  // namespace
}  // namespace dpvi
