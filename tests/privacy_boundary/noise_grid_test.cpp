#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

#include <gtest/gtest.h>

#include <dpvi/base/error.hpp>
#include <dpvi/privacy/noise_grid.hpp>

namespace dpvi {
namespace {

TEST(NoiseGrid, IntegerBoundIsTheFloorOfTheExactQuotient) {
  EXPECT_EQ(NoiseGrid(2.0).integer_bound(), 1 << 23);
  EXPECT_EQ(NoiseGrid(1.0).integer_bound(), 1 << 24);
  EXPECT_EQ(NoiseGrid(3.0).integer_bound(), 5592405);
  EXPECT_EQ(NoiseGrid(0x1p24).integer_bound(), 1);
  EXPECT_EQ(NoiseGrid(0x1p-6).integer_bound(), 1 << 30);
  // 2^24 / s is below 3 by less than half a unit in the last place of a double.
  EXPECT_EQ(NoiseGrid(std::nextafter(0x1p24 / 3.0, 1e9)).integer_bound(), 2);
}

// Guarantee: the accountant is never told of more noise than there is.
// The exact ratio is 2^24 / D. A double r does not exceed it if and only if r * D <= 2^24.
TEST(NoiseGrid, AccountantIsNeverToldOfMoreNoiseThanThereIs) {
  std::mt19937_64 engine(3);
  std::uniform_real_distribution<double> exponent(-6.0, 24.0);
  for (int i = 0; i < 20000; ++i) {
    const double requested = std::exp2(exponent(engine));
    const NoiseGrid grid(requested);
    const double bound = static_cast<double>(grid.integer_bound());
    const double told = grid.noise_multiplier();
    ASSERT_LE(std::fma(told, bound, -0x1p24), 0.0);
    ASSERT_GT(std::fma(std::nextafter(told, 1e9), bound, -0x1p24), 0.0);
    ASSERT_GE(told, requested);
  }
}

TEST(NoiseGrid, GridMadeFromItsOwnNoiseMultiplierIsTheSameGrid) {
  std::mt19937_64 engine(4);
  std::uniform_int_distribution<std::int64_t> bounds(1, NoiseGrid::kLargestIntegerBound);
  for (std::int64_t i = 1; i < 20000; ++i) {
    for (const std::int64_t bound : {i, bounds(engine)}) {
      const NoiseGrid grid = NoiseGrid::with_integer_bound(bound);
      ASSERT_EQ(grid.integer_bound(), bound);
      ASSERT_EQ(NoiseGrid(grid.noise_multiplier()), grid);
    }
  }
}

TEST(NoiseGrid, UnusableIntegerBoundIsRefused) {
  for (const std::int64_t bad : {std::int64_t{0}, std::int64_t{-1}, (std::int64_t{1} << 30) + 1}) {
    EXPECT_THROW(NoiseGrid::with_integer_bound(bad), UsageError) << bad;
  }
}

TEST(NoiseGrid, UnusableMultiplierIsRefusedByValueAndRule) {
  for (const double bad :
       {0.0, -1.0, std::numeric_limits<double>::quiet_NaN(),
        std::numeric_limits<double>::infinity(), 0x1.0000000000001p24, 0x1.fffffffffffffp-7}) {
    EXPECT_THROW(NoiseGrid{bad}, UsageError) << bad;
  }
  try {
    NoiseGrid{-1.0};
  } catch (const UsageError& error) {
    EXPECT_EQ(error.message(), "noise_multiplier is -1; it must be between 0.015625 and 16777216.");
  }
}

TEST(NoiseGrid, BatchThatCouldOverflowTheSumIsRefused) {
  for (const double multiplier : {0x1p-6, 0.7, 2.0, 0x1p24}) {
    const NoiseGrid grid(multiplier);
    using Wide = unsigned __int128;
    const auto needs = [&](std::uint64_t records) {
      return Wide{records} * Wide(grid.integer_bound()) + Wide{64} * (Wide{1} << 24);
    };
    const std::uint64_t largest = grid.largest_batch();
    EXPECT_TRUE(needs(largest) < Wide{1} << 63);
    EXPECT_TRUE(needs(largest + 1) >= Wide{1} << 63);
    EXPECT_NO_THROW(grid.check_batch(largest));
    EXPECT_THROW(grid.check_batch(largest + 1), UsageError);
  }
}

}  // namespace
}  // namespace dpvi
