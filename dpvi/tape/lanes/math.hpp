#pragma once

#include <dpvi/tape/lanes/vector.hpp>

// Elementary functions on machine vectors. They are accurate to 2 units in the last place (3 for
// compositions) for all arguments, including denormals, infinities and NaN. They do not branch:
// every lane goes through the same operations whatever its neighbours hold.
namespace dpvi::DPVI_LANE_NAMESPACE {

// The polynomials are near-minimax (Chebyshev) fits. kExp fits (exp(r) - 1 - r) / r^2 on |r| <=
// ln(2)/2. kAtanh fits (2 atanh(s)/s - 2) / s^2 in s^2, for s up to (sqrt(2)-1)/(sqrt(2)+1).
template <class T>
struct Constants;

template <>
struct Constants<double> {
  static constexpr double kExp[] = {
      0x1.0000000000000p-1,  0x1.5555555555557p-3,  0x1.5555555555556p-5,  0x1.11111111100dcp-7,
      0x1.6c16c16c162d4p-10, 0x1.a01a01abe7fe1p-13, 0x1.a01a01a6d889cp-16, 0x1.71de0231960ebp-19,
      0x1.27e4db646b17ep-22, 0x1.af4de97ca4194p-26, 0x1.1f730349868cep-29};
  static constexpr double kAtanh[] = {
      0x1.5555555555558p-1, 0x1.99999999952d7p-2, 0x1.2492492df281ap-2, 0x1.c71c62e3f11e6p-3,
      0x1.7462b51cb66b1p-3, 0x1.39fe51a7c18f9p-3, 0x1.2b5900de53b32p-3};
  static constexpr int kMantissaBits = 52;
  static constexpr double kExponentBias = 1023.0;
  static constexpr double kLn2High = 0x1.62e42fefa3800p-1;  // its products with exponents are exact
  static constexpr double kLn2Low = 0x1.ef35793c76730p-45;
  static constexpr double kExpHighest = 712.0;  // exp is infinite from here on
  static constexpr double kExpLowest = -750.0;  // exp is zero from here down
  static constexpr double kSmallestNormal = 0x1p-1022;
  static constexpr std::uint64_t kOne = 0x3FF0000000000000;
  static constexpr std::uint64_t kSqrtHalf = 0x3FE6A09E667F3BCD;
};

template <>
struct Constants<float> {
  static constexpr float kExp[] = {0x1.000000p-1F, 0x1.5554dcp-3F, 0x1.55551ap-5F, 0x1.120b6ep-7F,
                                   0x1.6d110ap-10F};
  static constexpr float kAtanh[] = {0x1.555556p-1F, 0x1.9999ecp-2F, 0x1.245c40p-2F,
                                     0x1.ddcf72p-3F};
  static constexpr int kMantissaBits = 23;
  static constexpr float kExponentBias = 127.0F;
  static constexpr float kLn2High = 0x1.62ep-1F;
  static constexpr float kLn2Low = 0x1.0bfbe8p-15F;
  static constexpr float kExpHighest = 90.0F;
  static constexpr float kExpLowest = -110.0F;
  static constexpr float kSmallestNormal = 0x1p-126F;
  static constexpr std::uint32_t kOne = 0x3F800000;
  static constexpr std::uint32_t kSqrtHalf = 0x3F3504F3;
};

// 1.5 * 2^kMantissaBits. Adding it rounds to an integer, which is then held in the lowest bits.
template <class T>
inline constexpr T kRounder = T(3) * static_cast<T>(1LL << (Constants<T>::kMantissaBits - 1));

// Estrin's scheme: neighbouring terms combine first, which avoids one long dependency chain.
template <class T, int kTerms>
[[gnu::always_inline]] inline Vector<T> combine_terms(const Vector<T> (&terms)[kTerms],
                                                      Vector<T> x) {
  if constexpr (kTerms == 1) {
    return terms[0];
  } else {
    Vector<T> pairs[(kTerms + 1) / 2];
    for (int i = 0; i < kTerms / 2; ++i) {
      pairs[i] = multiply_add(terms[2 * i + 1], x, terms[2 * i]);
    }
    if constexpr (kTerms % 2 == 1) pairs[kTerms / 2] = terms[kTerms - 1];
    return combine_terms<T>(pairs, x * x);
  }
}

template <class T, int kTerms>
[[gnu::always_inline]] inline Vector<T> polynomial(const T (&coefficients)[kTerms], Vector<T> x) {
  Vector<T> terms[kTerms];
  for (int i = 0; i < kTerms; ++i) terms[i] = repeat(coefficients[i]);
  return combine_terms<T>(terms, x);
}

// 2^n for an integer n in the normal range.
template <class T>
[[gnu::always_inline]] inline Vector<T> power_of_two(Vector<T> n) {
  const Vector<T> shifted = n + (kRounder<T> + Constants<T>::kExponentBias);
  return reinterpret_cast<Vector<T>>(reinterpret_cast<Unsigned<T>>(shifted)
                                     << Constants<T>::kMantissaBits);
}

template <class T>
[[gnu::always_inline]] inline Vector<T> exp(Vector<T> x) {
  using C = Constants<T>;
  x = at_least(at_most(x, repeat(C::kExpHighest)), repeat(C::kExpLowest));
  const Vector<T> n = (x * T(1.4426950408889634074) + kRounder<T>)-kRounder<T>;
  Vector<T> r = multiply_add(n, repeat(-C::kLn2High), x);
  r = multiply_add(n, repeat(-C::kLn2Low), r);
  const Vector<T> tail = polynomial(C::kExp, r);
  const Vector<T> result = multiply_add(r * r, tail, r) + T(1);
  // The scaling takes two steps, because 2^n itself may overflow or be denormal.
  const Vector<T> half = (n * T(0.5) + kRounder<T>)-kRounder<T>;
  return (result * power_of_two<T>(half)) * power_of_two<T>(n - half);
}

// log(1 + f) + k ln(2) + correction for |f| < 1/2, with the terms arranged as in fdlibm.
template <class T>
[[gnu::always_inline]] inline Vector<T> log_of_parts(Vector<T> f, Vector<T> k,
                                                     Vector<T> correction) {
  using C = Constants<T>;
  const Vector<T> s = f / (f + T(2));
  const Vector<T> z = s * s;
  const Vector<T> half_square = T(0.5) * f * f;
  const Vector<T> series = z * polynomial(C::kAtanh, z);
  const Vector<T> low = multiply_add(k, repeat(C::kLn2Low), correction);
  return k * C::kLn2High - ((half_square - (s * (half_square + series) + low)) - f);
}

// The decomposition x = 2^exponent * (1 + fraction) of a normal x > 0, with 1 + fraction in
// [sqrt(1/2), sqrt(2)).
template <class T>
struct Parts {
  Vector<T> exponent;
  Vector<T> fraction;
};

template <class T>
[[gnu::always_inline]] inline Parts<T> split(Vector<T> x) {
  using C = Constants<T>;
  constexpr auto kMantissa = (decltype(C::kOne){1} << C::kMantissaBits) - 1;
  const Unsigned<T> bits = reinterpret_cast<Unsigned<T>>(x) + (C::kOne - C::kSqrtHalf);
  const Unsigned<T> biased = bits >> C::kMantissaBits;
  const Unsigned<T> mantissa = (bits & kMantissa) + C::kSqrtHalf;
  // Adding an integer below 2^kMantissaBits to the bits of the rounder converts it to floating
  // point.
  const Vector<T> rounder = repeat(kRounder<T>);
  const Vector<T> exponent =
      reinterpret_cast<Vector<T>>(biased + reinterpret_cast<Unsigned<T>>(rounder)) -
      (kRounder<T> + C::kExponentBias);
  return {exponent, reinterpret_cast<Vector<T>>(mantissa) - T(1)};
}

// Handles log at 0, at infinity and for negative numbers. NaN stays NaN.
template <class T>
[[gnu::always_inline]] inline Vector<T> log_at_edges(Vector<T> x, Vector<T> inside) {
  const Vector<T> infinity = repeat(T(__builtin_inf()));
  Vector<T> result = x == T(0) ? -infinity : inside;
  result = x < T(0) ? repeat(T(__builtin_nan(""))) : result;
  return x < infinity ? result : x + x;
}

template <class T>
[[gnu::always_inline]] inline Vector<T> log(Vector<T> x) {
  using C = Constants<T>;
  constexpr T kScale = static_cast<T>(1LL << (C::kMantissaBits + 2));
  const Bits<T> denormal = x < C::kSmallestNormal;
  const Parts<T> parts = split<T>(choose<T>(denormal, x * kScale, x));
  const Vector<T> shift = keep<T>(repeat(T(C::kMantissaBits + 2)), denormal);
  return log_at_edges<T>(x, log_of_parts<T>(parts.fraction, parts.exponent - shift, Vector<T>{}));
}

template <class T>
[[gnu::always_inline]] inline Vector<T> log1p(Vector<T> x) {
  const Vector<T> u = x + T(1);
  // The rounding error of u, to first order.
  const Vector<T> lost = choose<T>(x < T(1), x - (u - T(1)), T(1) - (u - x));
  const Parts<T> parts = split<T>(u);
  return log_at_edges<T>(u, log_of_parts<T>(parts.fraction, parts.exponent, lost / u));
}

// log(1 + e) for e in [0, 1], where the halving below is exact.
template <class T>
[[gnu::always_inline]] inline Vector<T> log1p_of_fraction(Vector<T> e) {
  const Bits<T> large = e > T(0.41421356);
  const Vector<T> f = choose<T>(large, (e - T(1)) * T(0.5), e);
  return log_of_parts<T>(f, keep<T>(repeat(T(1)), large), Vector<T>{});
}

// exp(-|x|) and the other terms that the logistic functions share.
template <class T>
struct Logistic {
  Vector<T> decay;       // exp(-|x|)
  Vector<T> reciprocal;  // 1 / (1 + decay)

  [[gnu::always_inline]] explicit Logistic(Vector<T> x)
      : decay(exp<T>(minus_magnitude<T>(x))), reciprocal(T(1) / (decay + T(1))) {}

  [[gnu::always_inline]] Vector<T> inv_logit(Vector<T> x) const {
    return choose<T>(x < T(0), decay * reciprocal, reciprocal);
  }
  [[gnu::always_inline]] Vector<T> one_minus_inv_logit(Vector<T> x) const {
    return choose<T>(x < T(0), reciprocal, decay * reciprocal);
  }
};

}  // namespace dpvi::DPVI_LANE_NAMESPACE
