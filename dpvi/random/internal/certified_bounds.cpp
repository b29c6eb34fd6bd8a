#include <dpvi/random/internal/certified_bounds.hpp>

namespace dpvi {
namespace {

// Product of numbers in [0, 1] with `bits` fractional bits, rounded outwards.
CertifiedBounds product(const CertifiedBounds& a, const CertifiedBounds& b, unsigned bits) {
  return {(a.lower * b.lower) >> bits, ((a.upper * b.upper) >> bits) + 1};
}

}  // namespace

CertifiedBounds certified_exp_minus(const BigInteger& numerator, unsigned bits) {
  constexpr unsigned kHalvings = 8;
  const BigInteger one = BigInteger(1) << bits;
  // r = z / 2^8 < 1 is rounded down, so exp(-r) may be too large by one unit. The lower end below
  // allows for that.
  const BigInteger r = numerator >> kHalvings;
  CertifiedBounds term{one, one};
  CertifiedBounds sum{one, one};
  for (unsigned n = 1; term.upper > 1; ++n) {
    term = {((term.lower * r) >> bits) / n, ((term.upper * r) >> bits) / n + 1};
    if (n % 2 == 0) {
      sum = {sum.lower + term.lower, sum.upper + term.upper};
    } else {
      sum = {sum.lower - term.upper, sum.upper - term.lower};
    }
  }
  // Terms alternate and decrease, so the remainder is smaller than the last term.
  CertifiedBounds power{sum.lower - term.upper - 1, sum.upper + term.upper};
  for (unsigned i = 0; i < kHalvings; ++i) power = product(power, power, bits);
  return power;
}

CertifiedBounds certified_power(const BigInteger& numerator, std::uint64_t exponent,
                                unsigned bits) {
  const BigInteger one = BigInteger(1) << bits;
  const BigInteger exact_base = numerator << (bits - 64);
  CertifiedBounds square{exact_base, exact_base};
  CertifiedBounds power{one, one};
  for (; exponent != 0; exponent >>= 1) {
    if (exponent % 2 == 1) power = product(power, square, bits);
    square = product(square, square, bits);
  }
  return power;
}

}  // namespace dpvi
