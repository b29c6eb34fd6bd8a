#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <type_traits>

#include <dpvi/base/error.hpp>
#include <dpvi/random/sampling_rate.hpp>
#include <dpvi/random/seeded_generator.hpp>

namespace dpvi {
namespace {

static_assert(!std::is_convertible_v<double, SamplingRate>);

std::uint64_t last_word(double rate) {
  return SamplingRate::from_double(rate).last_selecting_word();
}

TEST(SamplingRate, IsRoundedUpToAMultipleOfTwoToTheMinus64) {
  EXPECT_EQ(last_word(0.5), (1ULL << 63) - 1);
  EXPECT_EQ(last_word(0x1p-64), 0U);
  EXPECT_EQ(last_word(0x1.8p-64), 1U);
  EXPECT_EQ(last_word(0x1.8p-63), 2U);
  EXPECT_EQ(last_word(std::numeric_limits<double>::denorm_min()), 0U);
  EXPECT_EQ(last_word(std::nextafter(1.0, 0.0)), UINT64_MAX - 2048);
}

TEST(SamplingRate, OneSelectsEveryWord) {
  const SamplingRate rate = SamplingRate::from_double(1.0);
  EXPECT_TRUE(rate.selects_all());
  EXPECT_EQ(rate.last_selecting_word(), UINT64_MAX);
  EXPECT_EQ(rate.value(), 1.0);
  EXPECT_FALSE(SamplingRate::from_double(std::nextafter(1.0, 0.0)).selects_all());
}

// The accountant uses exactly the sampler's probability. It is never below the requested rate and
// exceeds it by less than 2^-64.
TEST(SamplingRate, ValueIsExactlyTheShareOfSelectingWords) {
  SeededStream words = SeededGenerator(1).stream({StreamLabel::initial_value, 0, 0});
  for (int i = 0; i < 100'000; ++i) {
    // 53 random bits at exponents from 2^-80 to 1.
    const double asked = std::ldexp(static_cast<double>((words.next() >> 11) + 1), -53 - i % 80);
    const SamplingRate rate = SamplingRate::from_double(asked);
    const double scaled = std::ldexp(rate.value(), 64);
    ASSERT_EQ(scaled, std::floor(scaled));
    ASSERT_TRUE(static_cast<unsigned __int128>(scaled) ==
                static_cast<unsigned __int128>(rate.last_selecting_word()) + 1);
    ASSERT_GE(rate.value(), asked);
    ASSERT_LT(rate.value() - asked, 0x1p-64);
  }
}

TEST(SamplingRate, OutsideTheRuleIsRefusedWithValueAndRule) {
  for (const double rate :
       {0.0, -0.0, -0.1, 1.0000001, std::numeric_limits<double>::infinity(),
        -std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_THROW(SamplingRate::from_double(rate), UsageError) << rate;
  }
  try {
    SamplingRate::from_double(1.5);
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_EQ(error.code().id, kValueOutsideRule.id);
    EXPECT_EQ(error.message(), "sampling_rate is 1.5; it must be above 0 and at most 1.");
    EXPECT_FALSE(error.hint().empty());
  }
}

}  // namespace
}  // namespace dpvi
