#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>

#include <dpvi/report/number_text.hpp>
#include <tests/support/fixed_seed_check.hpp>

namespace dpvi {
namespace {

TEST(NumberText, NonFiniteNumbersHaveNames) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(number_text(std::nan(""), 8), "NaN");
  EXPECT_EQ(number_text(kInfinity, 8), "Inf");
  EXPECT_EQ(exact_text(-kInfinity), "-Inf");
  EXPECT_EQ(rounded_up(kInfinity), "Inf");
}

TEST(NumberText, RoundedNumbersAreThoseOfTheText) {
  using Limits = std::numeric_limits<double>;
  EXPECT_EQ(rounded_number(0.123456, 4), 0.1235);
  EXPECT_EQ(rounded_number(-1234567.0, 4), -1235000.0);
  EXPECT_EQ(rounded_number(Limits::denorm_min(), 4), Limits::denorm_min());
  EXPECT_EQ(rounded_number(Limits::min() / 3.0, 4), 7.417e-309);
  EXPECT_EQ(rounded_number(Limits::max(), 4), Limits::max());
  EXPECT_EQ(rounded_number(-Limits::infinity(), 4), -Limits::infinity());
  EXPECT_TRUE(std::isnan(rounded_number(Limits::quiet_NaN(), 4)));
}

TEST(NumberText, BoundsThatNeedNoRoundingStayAsTheyAre) {
  EXPECT_EQ(rounded_up(0.0), "0");
  EXPECT_EQ(rounded_up(1.0), "1");
  EXPECT_EQ(rounded_up(0.3), "0.3");
  EXPECT_EQ(rounded_up(1e-6), "1e-06");
  EXPECT_EQ(rounded_up(1.0000001), "1.001");
  EXPECT_EQ(rounded_up(9.99999), "10");
  EXPECT_EQ(rounded_up(0.12344), "0.1235");
}

TEST(NumberText, APrintedBoundIsStillABoundAndCloseToIt) {
  const auto property = [] {
    const double value = std::exp(*rc::gen::inRange(-400000, 400000) / 1e4) *
                         (1.0 + *rc::gen::inRange(0, 1000000) / 1e6);
    const double printed = std::strtod(rounded_up(value).c_str(), nullptr);
    RC_ASSERT(printed >= value);
    RC_ASSERT(printed <= value * (1.0 + 1.001e-3));
  };
  EXPECT_EQ(counterexample(property, 1, 1000), "");
}

TEST(NumberText, ExactTextReadsBackAsTheSameDouble) {
  for (const double value : {1.0 / 3.0, 1e-300, 0.1, -2.5e17}) {
    EXPECT_EQ(std::strtod(exact_text(value).c_str(), nullptr), value);
  }
}

}  // namespace
}  // namespace dpvi
