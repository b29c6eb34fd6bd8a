#pragma once

#include <cstdint>

#include <boost/multiprecision/cpp_int.hpp>

namespace dpvi {

// Holds eleven more pairs of words than a doubtful draw needs at first; each pair is needed with
// probability below 2^-60. Arithmetic that does not fit throws.
using BigInteger = boost::multiprecision::number<
    boost::multiprecision::cpp_int_backend<4096, 4096, boost::multiprecision::signed_magnitude,
                                           boost::multiprecision::checked, void>,
    boost::multiprecision::et_off>;

// lower <= value * 2^bits <= upper, by integer arithmetic alone. Nothing is assumed about a
// floating-point library.
struct CertifiedBounds {
  BigInteger lower;
  BigInteger upper;
};

// Bounds of exp(-z) for 0 <= z < 256, where z = numerator / 2^bits.
CertifiedBounds certified_exp_minus(const BigInteger& numerator, unsigned bits);

// Bounds of base^exponent for 0 <= base <= 1, where base = numerator / 2^64.
CertifiedBounds certified_power(const BigInteger& numerator, std::uint64_t exponent, unsigned bits);

}  // namespace dpvi
