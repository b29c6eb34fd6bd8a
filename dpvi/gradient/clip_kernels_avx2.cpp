#include <immintrin.h>

#include <dpvi/gradient/clip_kernels.hpp>

// No standard library function is called in this file. One that is not inlined would be compiled
// for AVX2, and the linker might choose that copy for the whole program.

namespace dpvi {
namespace {

// Loads a quarter of the lanes of one row as doubles.
inline __m256d load_quarter(const float* entries) { return _mm256_cvtps_pd(_mm_loadu_ps(entries)); }
inline __m256d load_quarter(const double* entries) { return _mm256_loadu_pd(entries); }

template <class T>
ClipValues avx2_largest(const T* block, std::size_t rows) {
  const __m256d sign = _mm256_set1_pd(-0.0);
  __m256d largest[4] = {};
  for (std::size_t j = 0; j < rows; ++j) {
    for (std::size_t part = 0; part < 4; ++part) {
      const __m256d entry = load_quarter(block + j * kClipLanes + 4 * part);
      largest[part] = _mm256_max_pd(_mm256_andnot_pd(sign, entry), largest[part]);
    }
  }
  ClipValues result;
  for (std::size_t part = 0; part < 4; ++part) {
    _mm256_store_pd(result.lane + 4 * part, largest[part]);
  }
  return result;
}

inline __m256d add_square(__m256d sum, const double* entries, __m256d prescale) {
  const __m256d entry = _mm256_mul_pd(load_quarter(entries), prescale);
  return _mm256_add_pd(sum, _mm256_mul_pd(entry, entry));
}

// The square of a float is exact in double, so a fused multiply-add gives the same sum. Floats need
// no prescale.
inline __m256d add_square(__m256d sum, const float* entries, __m256d) {
  const __m256d entry = load_quarter(entries);
  return _mm256_fmadd_pd(entry, entry, sum);
}

template <class T>
ClipValues avx2_square_sums(const T* block, std::size_t rows, const ClipValues& prescale) {
  __m256d scale[4];
  for (std::size_t part = 0; part < 4; ++part)
    scale[part] = _mm256_load_pd(prescale.lane + 4 * part);
  __m256d even[4] = {};
  __m256d odd[4] = {};
  std::size_t j = 0;
  for (; j + 1 < rows; j += 2) {
    const T* row = block + j * kClipLanes;
    for (std::size_t part = 0; part < 4; ++part) {
      even[part] = add_square(even[part], row + 4 * part, scale[part]);
      odd[part] = add_square(odd[part], row + kClipLanes + 4 * part, scale[part]);
    }
  }
  ClipValues result;
  for (std::size_t part = 0; part < 4; ++part) {
    if (j < rows) {
      even[part] = add_square(even[part], block + j * kClipLanes + 4 * part, scale[part]);
    }
    _mm256_store_pd(result.lane + 4 * part, _mm256_add_pd(even[part], odd[part]));
  }
  return result;
}

// Converts eight 64-bit masks to 32-bit masks by taking their lower halves.
inline __m256i narrow_masks(__m256d first, __m256d second) {
  const __m256 halves = _mm256_shuffle_ps(_mm256_castpd_ps(first), _mm256_castpd_ps(second), 0x88);
  return _mm256_permute4x64_epi64(_mm256_castps_si256(halves), 0xd8);
}

// Factors of four lanes, with masks of the lanes that are shortened and those whose norm is finite.
// In single precision every prescale is 1.
struct FourFactors {
  template <bool kPrescaled>
  static __m256d unclipped(const FactorRule& rule, __m256d scale) {
    const __m256d factor = _mm256_set1_pd(rule.unclipped);
    return kPrescaled ? _mm256_div_pd(factor, scale) : factor;
  }

  template <class T>
  FourFactors(T, const double* square_sums, const double* prescale, const FactorRule& rule) {
    const __m256d scale = _mm256_load_pd(prescale);
    norm = _mm256_sqrt_pd(_mm256_load_pd(square_sums));
    __m256d divisor = norm;
    if (rule.normalise) {
      divisor = _mm256_add_pd(norm, _mm256_mul_pd(_mm256_set1_pd(rule.floor), scale));
    }
    const __m256d at_bound = _mm256_div_pd(_mm256_set1_pd(rule.bound), divisor);
    const __m256d as_is = unclipped<sizeof(T) == sizeof(double)>(rule, scale);
    __m256d stays = _mm256_setzero_pd();
    if (!rule.normalise) stays = _mm256_cmp_pd(as_is, at_bound, _CMP_LT_OQ);
    const __m256d zero = _mm256_setzero_pd();
    finite = _mm256_cmp_pd(_mm256_sub_pd(norm, norm), zero, _CMP_EQ_OQ);
    shortened = _mm256_xor_pd(stays, _mm256_cmp_pd(zero, zero, _CMP_EQ_OQ));
    const __m256d usable = _mm256_and_pd(finite, _mm256_cmp_pd(norm, zero, _CMP_GT_OQ));
    factor = _mm256_and_pd(usable, _mm256_blendv_pd(at_bound, as_is, stays));
  }

  __m256d norm, factor, finite, shortened;
};

inline void set_multipliers(LaneRule<double>& rule, std::size_t first, const double* prescale,
                            const FourFactors& four) {
  const __m256d scale = _mm256_load_pd(prescale + first);
  _mm256_store_pd(rule.prescale + first, scale);
  _mm256_store_pd(rule.factor + first, four.factor);
}

// Prescales and factors of four lanes in single precision.
struct FourMultipliers {
  explicit FourMultipliers(const FourFactors& four) {
    __m256i exponent = _mm256_srli_epi64(_mm256_castpd_si256(four.norm), 52);
    exponent = _mm256_max_epu32(exponent, _mm256_set1_epi64x(kLeastExponent));
    exponent = _mm256_min_epu32(exponent, _mm256_set1_epi64x(kLargestExponent));
    const __m256i inverse = _mm256_sub_epi64(_mm256_set1_epi64x(2 * kExponentBias), exponent);
    const __m256d up = _mm256_castsi256_pd(_mm256_slli_epi64(exponent, 52));
    prescale = _mm256_cvtpd_ps(_mm256_castsi256_pd(_mm256_slli_epi64(inverse, 52)));
    factor = _mm256_cvtpd_ps(_mm256_mul_pd(four.factor, up));
  }

  __m128 prescale, factor;
};

// Eight lanes are written by one store because they are read by one load: a load that spans two
// recent stores stalls.
inline void set_multipliers(LaneRule<float>& rule, std::size_t first, const double*,
                            const FourFactors& low, const FourFactors& high) {
  const FourMultipliers of_low(low);
  const FourMultipliers of_high(high);
  _mm256_store_ps(rule.prescale + first, _mm256_set_m128(of_high.prescale, of_low.prescale));
  _mm256_store_ps(rule.factor + first, _mm256_set_m128(of_high.factor, of_low.factor));
}

inline void set_multipliers(LaneRule<double>& rule, std::size_t first, const double* prescale,
                            const FourFactors& low, const FourFactors& high) {
  set_multipliers(rule, first, prescale, low);
  set_multipliers(rule, first + 4, prescale, high);
}

template <class T>
void avx2_set_lanes(const ClipValues& square_sums, const ClipValues& prescale,
                    const FactorRule& factors, std::uint32_t active_lanes, LaneRule<T>& rule) {
  const __m256i bits = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
  for (std::size_t first = 0; first < kClipLanes; first += 8) {
    const FourFactors low(T{}, square_sums.lane + first, prescale.lane + first, factors);
    const FourFactors high(T{}, square_sums.lane + first + 4, prescale.lane + first + 4, factors);
    const __m256i active = _mm256_set1_epi32(static_cast<int>(active_lanes >> first));
    const __m256i is_active = _mm256_cmpeq_epi32(_mm256_and_si256(active, bits), bits);
    const __m256i keep = _mm256_and_si256(is_active, narrow_masks(low.finite, high.finite));
    set_multipliers(rule, first, prescale.lane, low, high);
    _mm256_store_si256(reinterpret_cast<__m256i*>(rule.keep + first), keep);
    _mm256_store_si256(reinterpret_cast<__m256i*>(rule.shortened + first),
                       narrow_masks(low.shortened, high.shortened));
  }
}

// Applies the rule to eight lanes. The operand order of min and max turns a NaN into the limit.
class FloatsToIntegers {
 public:
  FloatsToIntegers(const LaneRule<float>& rule, std::size_t first)
      : prescale_(_mm256_load_ps(rule.prescale + first)),
        factor_(_mm256_load_ps(rule.factor + first)),
        limit_(_mm256_set1_ps(rule.limit)),
        minus_limit_(_mm256_set1_ps(-rule.limit)) {}

  __m256i round(const float* entries) const { return _mm256_cvtps_epi32(scale(entries)); }
  __m256i truncate(const float* entries) const { return _mm256_cvttps_epi32(scale(entries)); }

 private:
  __m256 scale(const float* entries) const {
    const __m256 scaled =
        _mm256_mul_ps(_mm256_mul_ps(_mm256_loadu_ps(entries), prescale_), factor_);
    return _mm256_max_ps(_mm256_min_ps(scaled, limit_), minus_limit_);
  }

  __m256 prescale_, factor_, limit_, minus_limit_;
};

class DoublesToIntegers {
 public:
  DoublesToIntegers(const LaneRule<double>& rule, std::size_t first)
      : prescale_{_mm256_load_pd(rule.prescale + first), _mm256_load_pd(rule.prescale + first + 4)},
        factor_{_mm256_load_pd(rule.factor + first), _mm256_load_pd(rule.factor + first + 4)},
        limit_(_mm256_set1_pd(rule.limit)),
        minus_limit_(_mm256_set1_pd(-rule.limit)) {}

  __m256i round(const double* entries) const {
    return _mm256_set_m128i(_mm256_cvtpd_epi32(scale(entries + 4, 1)),
                            _mm256_cvtpd_epi32(scale(entries, 0)));
  }
  __m256i truncate(const double* entries) const {
    return _mm256_set_m128i(_mm256_cvttpd_epi32(scale(entries + 4, 1)),
                            _mm256_cvttpd_epi32(scale(entries, 0)));
  }

 private:
  __m256d scale(const double* entries, std::size_t part) const {
    const __m256d scaled =
        _mm256_mul_pd(_mm256_mul_pd(_mm256_loadu_pd(entries), prescale_[part]), factor_[part]);
    return _mm256_max_pd(_mm256_min_pd(scaled, limit_), minus_limit_);
  }

  __m256d prescale_[2], factor_[2], limit_, minus_limit_;
};

template <class T>
struct ToIntegers;
template <>
struct ToIntegers<float> {
  using Type = FloatsToIntegers;
};
template <>
struct ToIntegers<double> {
  using Type = DoublesToIntegers;
};

// Sums of squares of eight lanes: the even-numbered lanes, then the odd-numbered lanes.
struct SquaresOfEight {
  void add(__m256i n) {
    sums[0] = _mm256_add_epi64(sums[0], _mm256_mul_epi32(n, n));
    const __m256i odd = _mm256_srli_epi64(n, 32);
    sums[1] = _mm256_add_epi64(sums[1], _mm256_mul_epi32(odd, odd));
  }

  void hold_below_many() {
    const __m256i many = _mm256_set1_epi64x(static_cast<long long>(kManySquares));
    for (__m256i& sum : sums) {
      sum = _mm256_blendv_epi8(sum, many, _mm256_cmpgt_epi64(sum, many));
    }
  }

  void store(std::uint64_t* lanes) const {
    const __m256i low = _mm256_unpacklo_epi64(sums[0], sums[1]);
    const __m256i high = _mm256_unpackhi_epi64(sums[0], sums[1]);
    auto* to = reinterpret_cast<__m256i*>(lanes);
    _mm256_store_si256(to, _mm256_permute2x128_si256(low, high, 0x20));
    _mm256_store_si256(to + 1, _mm256_permute2x128_si256(low, high, 0x31));
  }

  __m256i sums[2] = {_mm256_setzero_si256(), _mm256_setzero_si256()};
};

// Writes integer_of(to_integers, keep, entries, place) for eight lanes of a row at a time. `place`
// points to the current integers. Returns each lane's sum of squares.
template <class T, class IntegerOf>
LaneSquares write_integers(const T* block, std::size_t rows, const LaneRule<T>& rule,
                           std::int32_t* integers, IntegerOf integer_of) {
  LaneSquares result;
  for (std::size_t first = 0; first < kClipLanes; first += 8) {
    const typename ToIntegers<T>::Type to_integers(rule, first);
    const __m256i keep = _mm256_load_si256(reinterpret_cast<const __m256i*>(rule.keep + first));
    SquaresOfEight squares;
    for (std::size_t j = 0; j < rows;) {
      const std::size_t left = rows - j;
      const std::size_t end = j + (left < rule.rows_at_a_time ? left : rule.rows_at_a_time);
      for (; j < end; ++j) {
        auto* place = reinterpret_cast<__m256i*>(integers + j * kClipLanes + first);
        const __m256i n = integer_of(to_integers, keep, block + j * kClipLanes + first, place);
        _mm256_storeu_si256(place, n);
        squares.add(n);
      }
      squares.hold_below_many();
    }
    squares.store(result.lane + first);
  }
  return result;
}

template <class T>
LaneSquares avx2_quantise(const T* block, std::size_t rows, const LaneRule<T>& rule,
                          std::int32_t* integers) {
  return write_integers(block, rows, rule, integers,
                        [](const auto& to_integers, __m256i keep, const T* entries, __m256i*) {
                          return _mm256_and_si256(keep, to_integers.round(entries));
                        });
}

template <class T>
LaneSquares avx2_truncate(const T* block, std::size_t rows, const LaneRule<T>& rule,
                          std::int32_t* integers) {
  return write_integers(
      block, rows, rule, integers,
      [](const auto& to_integers, __m256i keep, const T* entries, const __m256i* place) {
        return _mm256_blendv_epi8(_mm256_loadu_si256(place), to_integers.truncate(entries), keep);
      });
}

// Adds the lanes of one row into four partial sums.
inline __m256i fold_lanes(const std::int32_t* integers) {
  __m256i sums = _mm256_setzero_si256();
  for (std::size_t part = 0; part < 4; ++part) {
    const auto* quarter = reinterpret_cast<const __m128i*>(integers + 4 * part);
    sums = _mm256_add_epi64(sums, _mm256_cvtepi32_epi64(_mm_loadu_si128(quarter)));
  }
  return sums;
}

void avx2_add_lanes(const std::int32_t* integers, std::size_t rows, std::int64_t* sums) {
  for (std::size_t j = 0; j < rows; ++j) {
    const __m256i folded = fold_lanes(integers + j * kClipLanes);
    const __m128i half =
        _mm_add_epi64(_mm256_castsi256_si128(folded), _mm256_extracti128_si256(folded, 1));
    sums[j] += _mm_cvtsi128_si64(_mm_add_epi64(half, _mm_unpackhi_epi64(half, half)));
  }
}

}  // namespace

template <class T>
const ClipKernels<T>& avx2_clip_kernels() {
  static constexpr ClipKernels<T> kKernels{avx2_largest<T>,  avx2_square_sums<T>, avx2_set_lanes<T>,
                                           avx2_quantise<T>, avx2_truncate<T>,    avx2_add_lanes};
  return kKernels;
}

template const ClipKernels<float>& avx2_clip_kernels<float>();
template const ClipKernels<double>& avx2_clip_kernels<double>();

}  // namespace dpvi
