#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <dpvi/base/error.hpp>
#include <dpvi/privacy/gaussian_mechanism.hpp>
#include <dpvi/privacy/unprotected_mechanism.hpp>
#include <dpvi/random/rounded_gaussian.hpp>
#include <tests/support/clipped_sum_integers.hpp>
#include <tests/support/fixed_key_generator.hpp>
#include <tests/support/one_record_sum.hpp>

// Tests use moved-from objects to check that they throw.
// NOLINTBEGIN(bugprone-use-after-move)
namespace dpvi {
namespace {

// C / D is a power of two, so the released values show the integers exactly.
const ClipSettings kSettings{
    .grid = NoiseGrid(2.0), .clip_bound = 0x1p-3, .dimension = 3, .max_records = 10};
const std::vector<double> kRecord = {0.0625, -0.03125, 0.01};

std::vector<std::int64_t> integers_of(const Released& released) {
  std::vector<std::int64_t> integers;
  for (const double value : released.values()) integers.push_back(std::llround(value * 0x1p26));
  return integers;
}

ClippedSum sum_of_none(std::size_t dimension = 3) {
  ClipSettings settings = kSettings;
  settings.dimension = dimension;
  return one_record_sum(settings, {});
}

TEST(GaussianMechanism, ReleaseIsTheSumPlusTheNoiseOfItsOwnStreamTimesOneConstant) {
  GaussianMechanism mechanism(FixedKeyForTests::generator(1));
  const SecureGenerator same_key = FixedKeyForTests::generator(1);
  for (std::uint64_t step = 0; step < 5; ++step) {
    ClippedSum sum = one_record_sum(kSettings, kRecord);
    std::vector<std::int64_t> expected = integers_for_tests(sum);
    SecureStream stream = same_key.stream({.label = StreamLabel::noise, .step = step});
    add_rounded_gaussian(stream, expected);
    EXPECT_EQ(integers_of(mechanism.release(std::move(sum))), expected);
  }
}

TEST(GaussianMechanism, ReleaseSaysHowItCameAbout) {
  GaussianMechanism mechanism(FixedKeyForTests::generator(1));
  mechanism.release(sum_of_none());
  const Released released = mechanism.release(sum_of_none());
  const ReleaseOrigin expected{.protection = Protection::gaussian_noise,
                               .step = 1,
                               .noise_multiplier = 2.0,
                               .clip_bound = 0x1p-3,
                               .dimension = 3};
  EXPECT_EQ(released.origin(), expected);
  EXPECT_TRUE(released.is_private());
}

// Guarantee: no noise is ever used twice.
TEST(GaussianMechanism, NoNoiseIsEverUsedTwice) {
  GaussianMechanism one;
  GaussianMechanism other;
  const auto first = integers_of(one.release(sum_of_none()));
  EXPECT_NE(integers_of(one.release(sum_of_none())), first);
  EXPECT_NE(integers_of(other.release(sum_of_none())), first);
  static_assert(!std::is_copy_constructible_v<GaussianMechanism>);
  static_assert(!std::is_move_constructible_v<GaussianMechanism>);
  static_assert(!std::is_copy_assignable_v<GaussianMechanism>);
  static_assert(!std::is_move_assignable_v<GaussianMechanism>);
}

// Guarantee: only a Collective makes one, only a mechanism reads its integers, and a mechanism
// consumes it.
TEST(GaussianMechanism, SumIsUsedUpByItsRelease) {
  GaussianMechanism mechanism;
  ClippedSum sum = sum_of_none();
  mechanism.release(std::move(sum));
  EXPECT_THROW(mechanism.release(std::move(sum)), InternalError);
  EXPECT_THROW(sum.dimension(), InternalError);
}

// Guarantee: its releases are stamped not private, with a noise multiplier of 0.
TEST(UnprotectedMechanism, ReleaseIsTheSumItselfAndStampedNotPrivate) {
  UnprotectedMechanism mechanism;
  ClippedSum sum = one_record_sum(kSettings, kRecord);
  const std::vector<std::int64_t> expected = integers_for_tests(sum);
  const Released released = mechanism.release(std::move(sum));
  EXPECT_EQ(integers_of(released), expected);
  EXPECT_FALSE(released.is_private());
  EXPECT_EQ(released.origin().protection, Protection::none);
  EXPECT_EQ(released.origin().noise_multiplier, 0.0);
  EXPECT_THROW(mechanism.release(std::move(sum)), InternalError);
}

TEST(UnprotectedMechanism, UnclippedSumIsReleasedAsItIsAndStampedNotPrivate) {
  UnprotectedMechanism mechanism;
  const Released released = mechanism.release(UnclippedSum{{1e30, -0.1}});
  EXPECT_EQ(released.values()[0], 1e30);
  EXPECT_EQ(released.values()[1], -0.1);
  EXPECT_FALSE(released.is_private());
  EXPECT_EQ(released.origin().noise_multiplier, 0.0);
  EXPECT_EQ(released.origin().clip_bound, std::numeric_limits<double>::infinity());
}

TEST(UnprotectedMechanism, SeededNoiseCanBeRepeatedAndIsStampedNotPrivate) {
  UnprotectedMechanism one(SeededGenerator(5));
  UnprotectedMechanism other(SeededGenerator(5));
  const Released first = one.release(sum_of_none());
  EXPECT_EQ(integers_of(first), integers_of(other.release(sum_of_none())));
  EXPECT_NE(integers_of(first), integers_of(one.release(sum_of_none())));
  EXPECT_FALSE(first.is_private());
  EXPECT_EQ(first.origin().noise_multiplier, 0.0);
}

TEST(UnprotectedMechanism, SeededNoiseHasTheSizeOfSecureNoise) {
  UnprotectedMechanism mechanism(SeededGenerator(6));
  constexpr std::size_t kCount = 40000;
  double square_sum = 0.0;
  for (const std::int64_t n : integers_of(mechanism.release(sum_of_none(kCount)))) {
    square_sum += std::pow(static_cast<double>(n) / 0x1p24, 2);
  }
  // A chi-square with kCount degrees of freedom has standard deviation sqrt(2 kCount).
  EXPECT_NEAR(square_sum, kCount, 5.0 * std::sqrt(2.0 * kCount));
}

}  // namespace
}  // namespace dpvi
// NOLINTEND(bugprone-use-after-move)
