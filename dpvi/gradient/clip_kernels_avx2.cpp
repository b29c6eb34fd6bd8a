#include <immintrin.h>

#include <dpvi/gradient/clip_kernels.hpp>

// No standard library function is called here: one that is not inlined would be compiled for AVX2
// and might be chosen by the linker for the whole program.

namespace dpvi {
namespace {

// A quarter of the lanes of one coordinate, as doubles.
inline __m256d load_quarter(const float* entries) { return _mm256_cvtps_pd(_mm_loadu_ps(entries)); }
inline __m256d load_quarter(const double* entries) { return _mm256_loadu_pd(entries); }

template <class T>
inline constexpr bool kNeedsPrescale = false;
template <>
inline constexpr bool kNeedsPrescale<double> = true;

template <class T>
inline __m256d prescaled(const T* entries, const double* prescale) {
  __m256d value = load_quarter(entries);
  // Multiplying by 1 would change nothing: skipped for float.
  if constexpr (kNeedsPrescale<T>) value = _mm256_mul_pd(value, _mm256_load_pd(prescale));
  return value;
}

template <class T>
LaneValues avx2_largest(const T* block, std::size_t dimension) {
  const __m256d sign = _mm256_set1_pd(-0.0);
  __m256d largest[4] = {};
  for (std::size_t j = 0; j < dimension; ++j) {
    for (std::size_t part = 0; part < 4; ++part) {
      const __m256d entry = load_quarter(block + j * kClipLanes + 4 * part);
      largest[part] = _mm256_max_pd(_mm256_andnot_pd(sign, entry), largest[part]);
    }
  }
  LaneValues result;
  for (std::size_t part = 0; part < 4; ++part) {
    _mm256_store_pd(result.lane + 4 * part, largest[part]);
  }
  return result;
}

template <class T>
LaneValues avx2_square_sums(const T* block, std::size_t dimension, const LaneValues& prescale) {
  __m256d sums[4] = {};
  for (std::size_t j = 0; j < dimension; ++j) {
    for (std::size_t part = 0; part < 4; ++part) {
      const __m256d entry = prescaled(block + j * kClipLanes + 4 * part, prescale.lane + 4 * part);
      sums[part] = _mm256_add_pd(sums[part], _mm256_mul_pd(entry, entry));
    }
  }
  LaneValues result;
  for (std::size_t part = 0; part < 4; ++part) {
    _mm256_store_pd(result.lane + 4 * part, sums[part]);
  }
  return result;
}

// The rule of eight lanes; the loop below works on eight so that it fits the registers.
struct RuleOfEight {
  RuleOfEight(const LaneRule& rule, std::size_t first)
      : prescale(rule.prescale.lane + first),
        factor{_mm256_load_pd(rule.factor.lane + first),
               _mm256_load_pd(rule.factor.lane + first + 4)},
        half{_mm256_load_pd(rule.half.lane + first), _mm256_load_pd(rule.half.lane + first + 4)},
        keep(_mm256_load_si256(reinterpret_cast<const __m256i*>(rule.keep + first))) {}

  template <class T>
  __m128i quarter(const T* entries, std::size_t part) const {
    const __m256d sign = _mm256_set1_pd(-0.0);
    const __m256d scaled =
        _mm256_mul_pd(prescaled(entries + 4 * part, prescale + 4 * part), factor[part]);
    const __m256d away = _mm256_or_pd(_mm256_and_pd(sign, scaled), half[part]);
    return _mm256_cvttpd_epi32(_mm256_add_pd(scaled, away));
  }

  // A lane that holds a NaN converts to some integer; `keep` removes it.
  template <class T>
  __m256i integers(const T* entries) const {
    return _mm256_and_si256(keep, _mm256_set_m128i(quarter(entries, 1), quarter(entries, 0)));
  }

  const double* prescale;
  __m256d factor[2];
  __m256d half[2];
  __m256i keep;
};

// Exact sums of squares of eight lanes: the even lanes, then the odd.
struct SquaresOfEight {
  // Two squares of 32-bit integers sum to at most 2^63, so a pair is split only once.
  void add_pair(__m256i a, __m256i b) {
    add_split(0, _mm256_add_epi64(_mm256_mul_epi32(a, a), _mm256_mul_epi32(b, b)));
    a = _mm256_srli_epi64(a, 32);
    b = _mm256_srli_epi64(b, 32);
    add_split(1, _mm256_add_epi64(_mm256_mul_epi32(a, a), _mm256_mul_epi32(b, b)));
  }

  void add_split(std::size_t parity, __m256i sum) {
    low[parity] = _mm256_add_epi64(low[parity], _mm256_and_si256(sum, low_half));
    high[parity] = _mm256_add_epi64(high[parity], _mm256_srli_epi64(sum, 32));
  }

  void store(LaneSquares& squares, std::size_t first) const {
    for (std::size_t parity = 0; parity < 2; ++parity) {
      alignas(32) std::uint64_t lows[4];
      alignas(32) std::uint64_t highs[4];
      _mm256_store_si256(reinterpret_cast<__m256i*>(lows), low[parity]);
      _mm256_store_si256(reinterpret_cast<__m256i*>(highs), high[parity]);
      for (std::size_t i = 0; i < 4; ++i) {
        squares.low[first + 2 * i + parity] = lows[i];
        squares.high[first + 2 * i + parity] = highs[i];
      }
    }
  }

  __m256i low_half = _mm256_set1_epi64x(0xffffffff);
  __m256i low[2] = {};
  __m256i high[2] = {};
};

template <class T>
LaneSquares avx2_quantise(const T* block, std::size_t dimension, const LaneRule& lane_rule,
                          std::int32_t* integers) {
  LaneSquares result;
  for (std::size_t first = 0; first < kClipLanes; first += 8) {
    const RuleOfEight rule(lane_rule, first);
    SquaresOfEight squares;
    const auto coordinate = [&](std::size_t j) {
      const __m256i n = rule.integers(block + j * kClipLanes + first);
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(integers + j * kClipLanes + first), n);
      return n;
    };
    std::size_t j = 0;
    for (; j + 1 < dimension; j += 2) squares.add_pair(coordinate(j), coordinate(j + 1));
    if (j < dimension) squares.add_pair(coordinate(j), _mm256_setzero_si256());
    squares.store(result, first);
  }
  return result;
}

// Four partial sums of one coordinate's lanes.
inline __m256i fold_lanes(const std::int32_t* integers) {
  __m256i sums = _mm256_setzero_si256();
  for (std::size_t part = 0; part < 4; ++part) {
    const auto* quarter = reinterpret_cast<const __m128i*>(integers + 4 * part);
    sums = _mm256_add_epi64(sums, _mm256_cvtepi32_epi64(_mm_loadu_si128(quarter)));
  }
  return sums;
}

inline __m256i add_neighbours(__m256i a, __m256i b) {
  return _mm256_add_epi64(_mm256_unpacklo_epi64(a, b), _mm256_unpackhi_epi64(a, b));
}

void avx2_add_lanes(const std::int32_t* integers, std::size_t dimension, std::int64_t* sums) {
  std::size_t j = 0;
  for (; j + 4 <= dimension; j += 4) {
    const std::int32_t* rows = integers + j * kClipLanes;
    const __m256i ab = add_neighbours(fold_lanes(rows), fold_lanes(rows + kClipLanes));
    const __m256i cd =
        add_neighbours(fold_lanes(rows + 2 * kClipLanes), fold_lanes(rows + 3 * kClipLanes));
    const __m256i abcd = _mm256_add_epi64(_mm256_permute2x128_si256(ab, cd, 0x20),
                                          _mm256_permute2x128_si256(ab, cd, 0x31));
    auto* target = reinterpret_cast<__m256i*>(sums + j);
    _mm256_storeu_si256(target, _mm256_add_epi64(_mm256_loadu_si256(target), abcd));
  }
  for (; j < dimension; ++j) {
    for (std::size_t k = 0; k < kClipLanes; ++k) sums[j] += integers[j * kClipLanes + k];
  }
}

}  // namespace

template <class T>
const ClipKernels<T>& avx2_clip_kernels() {
  static constexpr ClipKernels<T> kernels{avx2_largest<T>, avx2_square_sums<T>, avx2_quantise<T>,
                                          avx2_add_lanes};
  return kernels;
}

template const ClipKernels<float>& avx2_clip_kernels<float>();
template const ClipKernels<double>& avx2_clip_kernels<double>();

}  // namespace dpvi
