#include <gtest/gtest.h>

#include <dpvi/random/internal/certified_bounds.hpp>
#include <dpvi/random/seeded_generator.hpp>
#include <tests/random/oracle.hpp>

namespace dpvi {
namespace {

Oracle as_real(const BigInteger& number, unsigned bits) {
  return ldexp(Oracle(number.str()), -static_cast<int>(bits));
}

void expect_bounds(const CertifiedBounds& bounds, const Oracle& value, unsigned bits,
                   double units_wide) {
  EXPECT_TRUE(as_real(bounds.lower, bits) <= value);
  EXPECT_TRUE(as_real(bounds.upper, bits) >= value);
  EXPECT_LT(static_cast<double>(BigInteger(bounds.upper - bounds.lower)), units_wide);
}

TEST(CertifiedExp, BoundsHoldTheOraclesValueAndAreTight) {
  constexpr unsigned kBits = 700;
  SeededStream words = SeededGenerator(1).stream({StreamLabel::initial_value, 0, 0});
  for (int i = 0; i < 500; ++i) {
    // z is in [0, 2^-s) with 128 bits, for s from -8 to 55.
    BigInteger numerator = (BigInteger(words.next()) << 64) + words.next();
    numerator <<= kBits - 128;
    const int shift = static_cast<int>(words.next() % 64) - 8;
    numerator = shift < 0 ? BigInteger(numerator << -shift) : BigInteger(numerator >> shift);
    const Oracle exact = exp(-as_real(numerator, kBits));
    expect_bounds(certified_exp_minus(numerator, kBits), exact, kBits, 0x1p18);
  }
}

TEST(CertifiedExp, OfZeroIsOne) {
  expect_bounds(certified_exp_minus(0, 600), Oracle(1), 600, 0x1p14);
}

TEST(CertifiedPower, BoundsHoldTheOraclesValueAndAreTight) {
  constexpr unsigned kBits = 448;
  SeededStream words = SeededGenerator(2).stream({StreamLabel::initial_value, 0, 0});
  for (int i = 0; i < 500; ++i) {
    const std::uint64_t rate = words.next() >> (words.next() % 60);
    const BigInteger base = (BigInteger(1) << 64) - rate;
    const std::uint64_t exponent = words.next() >> (32 + words.next() % 32);
    const Oracle exact = pow(1 - Oracle(rate) * two_to(-64), Oracle(exponent));
    expect_bounds(certified_power(base, exponent, kBits), exact, kBits, 0x1p36);
  }
}

TEST(CertifiedPower, OfExponentZeroIsOne) {
  expect_bounds(certified_power(12345, 0, 448), Oracle(1), 448, 1);
}

}  // namespace
}  // namespace dpvi
