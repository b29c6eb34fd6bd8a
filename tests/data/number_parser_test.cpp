#include <gtest/gtest.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <random>
#include <string>

#include <dpvi/data/number_parser.hpp>

namespace dpvi {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(NumberParser, DecimalsAreReadExactly) {
  EXPECT_EQ(parse_number("0.1"), 0.1);
  EXPECT_EQ(parse_number("-12"), -12.0);
  EXPECT_EQ(parse_number("+3"), 3.0);
  EXPECT_EQ(parse_number(".5"), 0.5);
  EXPECT_EQ(parse_number("5."), 5.0);
  EXPECT_EQ(parse_number("1E-3"), 1e-3);
  EXPECT_EQ(parse_number(" \t7 "), 7.0);
}

TEST(NumberParser, TooLargeIsInfiniteAndTooSmallIsZero) {
  EXPECT_EQ(parse_number("1e400"), kInfinity);
  EXPECT_EQ(parse_number("-1e400"), -kInfinity);
  EXPECT_EQ(parse_number(std::string(400, '9')), kInfinity);
  EXPECT_EQ(parse_number("1e99999999999999999999"), kInfinity);
  EXPECT_EQ(parse_number("0.0001e400"), kInfinity);
  EXPECT_EQ(parse_number("1e-400"), 0.0);
  EXPECT_TRUE(std::signbit(*parse_number("-1e-400")));
  EXPECT_EQ(parse_number("1000e-400"), 0.0);
  EXPECT_EQ(parse_number("0." + std::string(400, '0') + "1"), 0.0);
  EXPECT_EQ(parse_number("1e-99999999999999999999"), 0.0);
  EXPECT_EQ(parse_number("1e-320"), 1e-320);
}

TEST(NumberParser, WordsForNonFiniteNumbersAreKnown) {
  EXPECT_TRUE(std::isnan(*parse_number("NaN")));
  EXPECT_EQ(parse_number("Inf"), kInfinity);
  EXPECT_EQ(parse_number("-Infinity"), -kInfinity);
}

TEST(NumberParser, OtherTextIsNoNumber) {
  for (const char* text : {"", " ", "-", "+", "+-1", "++1", "abc", "1,5", "1 2", "0x10", "1e",
                           "\xff", "1_000", "true", "1.2.3", "e5"}) {
    EXPECT_EQ(parse_number(text), std::nullopt) << text;
  }
}

TEST(NumberParser, IntegerLiteralsAreToldFromReals) {
  EXPECT_EQ(parse_integer("12"), 12);
  EXPECT_EQ(parse_integer("-3"), -3);
  for (const char* text : {"1.0", "1e3", "", "9999999999999999999999"}) {
    EXPECT_EQ(parse_integer(text), std::nullopt) << text;
  }
}

TEST(NumberParser, DecimalsAreRoundedAsFromCharsRoundsThem) {
  std::mt19937_64 random(11);
  for (int trial = 0; trial < 200'000; ++trial) {
    std::string text = random() % 2 == 0 ? "-" : "";
    const std::size_t length = 1 + random() % 18;
    const std::size_t point = random() % 24;
    for (std::size_t i = 0; i < length; ++i) {
      if (i == point) text += '.';
      text += static_cast<char>('0' + random() % 10);
    }
    double expected = 0;
    std::from_chars(text.data(), text.data() + text.size(), expected);
    ASSERT_EQ(std::bit_cast<std::uint64_t>(parse_number(text).value()),
              std::bit_cast<std::uint64_t>(expected))
        << text;
  }
  for (const char* text : {"", "-", ".", "-.", "1.2.3", "--1", "1-", "1,5"}) {
    EXPECT_FALSE(parse_number(text).has_value()) << text;
  }
  EXPECT_EQ(parse_number(".5"), 0.5);
  EXPECT_EQ(parse_number("5."), 5);
}

}  // namespace
}  // namespace dpvi
