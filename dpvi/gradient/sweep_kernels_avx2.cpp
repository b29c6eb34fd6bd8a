#include <immintrin.h>

#include <dpvi/gradient/sweep_kernels.hpp>
#include <dpvi/gradient/sweep_pieces_internal.hpp>

// No standard library function is called in this file. One that is not inlined would be compiled
// for AVX2, and the linker might choose that copy for the whole program.

namespace dpvi {
namespace {

inline __m256 load(const float* from) { return _mm256_loadu_ps(from); }
inline __m256d load(const double* from) { return _mm256_loadu_pd(from); }
inline __m256 repeat(float x) { return _mm256_set1_ps(x); }
inline __m256d repeat(double x) { return _mm256_set1_pd(x); }
inline __m256 add(__m256 a, __m256 b) { return _mm256_add_ps(a, b); }
inline __m256d add(__m256d a, __m256d b) { return _mm256_add_pd(a, b); }
inline __m256 subtract(__m256 a, __m256 b) { return _mm256_sub_ps(a, b); }
inline __m256d subtract(__m256d a, __m256d b) { return _mm256_sub_pd(a, b); }
inline __m256 multiply(__m256 a, __m256 b) { return _mm256_mul_ps(a, b); }
inline __m256d multiply(__m256d a, __m256d b) { return _mm256_mul_pd(a, b); }
inline __m256d four_doubles(const float* from) { return _mm256_cvtps_pd(_mm_loadu_ps(from)); }
inline __m256d four_doubles(const double* from) { return _mm256_loadu_pd(from); }

template <class T>
struct VectorType;
template <>
struct VectorType<float> {
  using Type = __m256;
};
template <>
struct VectorType<double> {
  using Type = __m256d;
};
template <class T>
using Vector = typename VectorType<T>::Type;
template <class T>
inline constexpr std::size_t kWidth = sizeof(Vector<T>) / sizeof(T);
// Number of four-double vectors that hold all lanes.
constexpr std::size_t kParts = kClipLanes / 4;

struct EightDoubles {
  __m256d low, high;
};

inline EightDoubles widen(__m256 v) {
  return {_mm256_cvtps_pd(_mm256_castps256_ps128(v)), _mm256_cvtps_pd(_mm256_extractf128_ps(v, 1))};
}

// Iterates over the rows of a run's terms.
template <class T, bool kCentred, bool kScaled>
struct Terms {
  explicit Terms(const ProductRun<T>& run)
      : column(run.columns), step(run.step), centre(run.centres), scale(run.scales) {}

  [[gnu::always_inline]] Vector<T> at(std::size_t first_lane) const {
    Vector<T> term = load(column + first_lane);
    if constexpr (kCentred) term = subtract(term, repeat(*centre));
    if constexpr (kScaled) term = multiply(term, repeat(*scale));
    return term;
  }
  [[gnu::always_inline]] EightDoubles eight_at(std::size_t first_lane) const {
    if constexpr (sizeof(T) == sizeof(double)) {
      return {at(first_lane), at(first_lane + 4)};
    } else if constexpr (kCentred && !kScaled) {
      // Converts four at a time, since splitting a vector costs more than a subtraction.
      const __m128 less = _mm_set1_ps(*centre);
      return {_mm256_cvtps_pd(_mm_sub_ps(_mm_loadu_ps(column + first_lane), less)),
              _mm256_cvtps_pd(_mm_sub_ps(_mm_loadu_ps(column + first_lane + 4), less))};
    } else if constexpr (kScaled) {
      return widen(at(first_lane));
    } else {
      return {four_doubles(column + first_lane), four_doubles(column + first_lane + 4)};
    }
  }
  [[gnu::always_inline]] void next() {
    column += step;
    if constexpr (kCentred) ++centre;
    if constexpr (kScaled) ++scale;
  }
  [[gnu::always_inline]] void skip(std::size_t rows) {
    column += static_cast<std::ptrdiff_t>(rows) * step;
    if constexpr (kCentred) centre += rows;
    if constexpr (kScaled) scale += rows;
  }

  const T* column;
  std::ptrdiff_t step;
  const T* centre;
  const T* scale;
};

// Calls work(terms) with the Terms type that fits the run.
template <class T, class Work>
[[gnu::always_inline]] inline void with_terms(const ProductRun<T>& run, const Work& work) {
  if (run.centres != nullptr && run.scales != nullptr) return work(Terms<T, true, true>(run));
  if (run.centres != nullptr) return work(Terms<T, true, false>(run));
  if (run.scales != nullptr) return work(Terms<T, false, true>(run));
  work(Terms<T, false, false>(run));
}

inline void add_to(double* sums, __m256d v) {
  _mm256_store_pd(sums, _mm256_add_pd(_mm256_load_pd(sums), v));
}
inline void add_to(double* sums, __m256 v) {
  const EightDoubles eight = widen(v);
  add_to(sums, eight.low);
  add_to(sums + 4, eight.high);
}

// Adds the squares of `count` terms, two vectors of lanes at a time.
template <class T, class TermsOf>
[[gnu::always_inline]] inline void add_some_squares(const TermsOf& from_first, std::size_t count,
                                                    double* sums) {
  for (std::size_t first = 0; first < kClipLanes; first += 2 * kWidth<T>) {
    TermsOf terms = from_first;
    Vector<T> parts[4][2];
#pragma GCC unroll 4
    for (auto& part : parts) part[0] = part[1] = repeat(T(0));
    const auto add_row = [&](std::size_t part) __attribute__((always_inline)) {
#pragma GCC unroll 2
      for (std::size_t v = 0; v < 2; ++v) {
        const Vector<T> term = terms.at(first + v * kWidth<T>);
        parts[part][v] = add(parts[part][v], multiply(term, term));
      }
      terms.next();
    };
    std::size_t i = 0;
    for (; i + 4 <= count; i += 4) {
      add_row(0);
      add_row(1);
      add_row(2);
      add_row(3);
    }
    if (i < count) add_row(0);
    if (i + 1 < count) add_row(1);
    if (i + 2 < count) add_row(2);
#pragma GCC unroll 2
    for (std::size_t v = 0; v < 2; ++v) {
      add_to(sums + first + v * kWidth<T>,
             add(add(parts[0][v], parts[1][v]), add(parts[2][v], parts[3][v])));
    }
  }
}

struct alignas(64) LaneDoubles {
  double lane[kClipLanes];
};

inline void clear(LaneDoubles& lanes) {
  for (std::size_t part = 0; part < kParts; ++part) {
    _mm256_store_pd(lanes.lane + 4 * part, _mm256_setzero_pd());
  }
}

template <class T>
[[gnu::always_inline]] inline void add_squares(const ProductRun<T>& run, LaneDoubles& squares) {
  with_terms(
      run, [&](auto terms) __attribute__((always_inline)) {
        for (std::size_t left = run.count; left > 0;) {
          const std::size_t taken = left < kSquaresAtOnce ? left : kSquaresAtOnce;
          add_some_squares<T>(terms, taken, squares.lane);
          terms.skip(taken);
          left -= taken;
        }
      });
}

// Squared norms, or NaN where they are not reliable.
template <class T>
[[gnu::always_inline]] inline void norm_squares(const ProductBlock<T>& block, LaneDoubles& sums) {
  clear(sums);
  const __m256d zero = _mm256_setzero_pd();
  const __m256d largest = _mm256_set1_pd(kLargestFactorSquare);
  const __m256d least = _mm256_set1_pd(kLeastSquares);
  for_each_piece(
      block, [&](const ProductRun<T>& run, const T* factors) __attribute__((always_inline)) {
        if (factors == nullptr) return add_squares(run, sums);
        LaneDoubles squares;
        clear(squares);
        add_squares(run, squares);
        for (std::size_t first = 0; first < kClipLanes; first += 4) {
          const __m256d piece = _mm256_load_pd(squares.lane + first);
          const __m256d size = four_doubles(factors + first);
          const __m256d square = _mm256_mul_pd(size, size);
          const __m256d exact = _mm256_or_pd(_mm256_cmp_pd(square, largest, _CMP_LE_OQ),
                                             _mm256_cmp_pd(piece, least, _CMP_GE_OQ));
          const __m256d not_exact = _mm256_xor_pd(exact, _mm256_cmp_pd(zero, zero, _CMP_EQ_OQ));
          // All bits set is a NaN.
          const __m256d product = _mm256_or_pd(_mm256_mul_pd(square, piece), not_exact);
          const __m256d counts = _mm256_cmp_pd(size, zero, _CMP_NEQ_UQ);
          add_to(sums.lane + first, _mm256_and_pd(product, counts));
        }
      });
}

// Sets the factors of eight lanes and marks those that are added and those that are shortened.
inline void set_eight(const SweepRule& rule, const double* norm_squares, const BoundShares& shares,
                      std::uint32_t active, std::size_t first, SweptLanes& lanes) {
  const __m256d squares[2] = {_mm256_load_pd(norm_squares + first),
                              _mm256_load_pd(norm_squares + first + 4)};
  const __m256 norm =
      _mm256_sqrt_ps(_mm256_set_m128(_mm256_cvtpd_ps(squares[1]), _mm256_cvtpd_ps(squares[0])));
  const __m256 divisor = rule.normalise ? _mm256_add_ps(norm, _mm256_set1_ps(rule.floor)) : norm;
  const __m256 share = _mm256_load_ps(shares.lane + first);
  const __m256 longest = _mm256_mul_ps(_mm256_set1_ps(rule.length), share);
  const EightDoubles shorter = widen(_mm256_div_ps(longest, divisor));
  const EightDoubles norms = widen(norm), longest_wide = widen(longest), share_wide = widen(share);
  const __m256d unclipped = _mm256_set1_pd(rule.unclipped);
  const __m256d most = _mm256_set1_pd(kLargestNormSquare);
  const __m256i bits = _mm256_setr_epi64x(1, 2, 4, 8);
  for (std::size_t half = 0; half < 2; ++half) {
    const __m256d length = _mm256_mul_pd(half == 0 ? norms.low : norms.high, unclipped);
    __m256d as_is = _mm256_setzero_pd();
    __m256d within = _mm256_setzero_pd();
    if (!rule.normalise) {
      const __m256d bound =
          _mm256_mul_pd(_mm256_set1_pd(rule.bound), half == 0 ? share_wide.low : share_wide.high);
      as_is = _mm256_cmp_pd(length, half == 0 ? longest_wide.low : longest_wide.high, _CMP_LT_OQ);
      within = _mm256_cmp_pd(length, bound, _CMP_LT_OQ);
    }
    const __m256i active_here =
        _mm256_and_si256(_mm256_set1_epi64x(active >> (first + 4 * half)), bits);
    const __m256d is_active = _mm256_castsi256_pd(_mm256_cmpeq_epi64(active_here, bits));
    const __m256d usable = _mm256_and_pd(is_active, _mm256_cmp_pd(squares[half], most, _CMP_LE_OQ));
    const __m256d factor =
        _mm256_blendv_pd(half == 0 ? shorter.low : shorter.high, unclipped, as_is);
    _mm256_store_pd(lanes.factor + first + 4 * half, _mm256_and_pd(usable, factor));
    lanes.added |= static_cast<unsigned>(_mm256_movemask_pd(usable)) << (first + 4 * half);
    lanes.shortened |= static_cast<unsigned>(_mm256_movemask_pd(_mm256_andnot_pd(within, usable)))
                       << (first + 4 * half);
  }
}

// A product of two 24-bit significands is exact in double, so a fused multiply-add rounds the same.
template <class T>
[[gnu::always_inline]] inline __m256d round_product(__m256d term, __m256d multiplier) {
  const __m256d rounder = _mm256_set1_pd(kRounder);
  if constexpr (sizeof(T) == sizeof(float)) return _mm256_fmadd_pd(term, multiplier, rounder);
  return _mm256_add_pd(_mm256_mul_pd(term, multiplier), rounder);
}

// The multipliers of a piece, with masks of those that are not 0. In a lane that is left out, a
// factor may be NaN or infinite and its product with 0 a NaN; that counts as 0.
struct Multipliers {
  template <class T>
  Multipliers(T, const SweptLanes& lanes, const T* factors) {
    const __m256d zero = _mm256_setzero_pd();
    int not_zero = 15;
    for (std::size_t part = 0; part < kParts; ++part) {
      __m256d v = _mm256_load_pd(lanes.factor + 4 * part);
      if (factors != nullptr) v = _mm256_mul_pd(four_doubles(factors + 4 * part), v);
      if constexpr (sizeof(T) == sizeof(float)) {
        const __m256i digits = _mm256_set1_epi64x(~((1LL << 29) - 1));
        v = _mm256_and_pd(v, _mm256_castsi256_pd(digits));
      }
      mask[part] = _mm256_cmp_pd(v, zero, _CMP_NEQ_OQ);
      multiplier[part] = _mm256_and_pd(v, mask[part]);
      not_zero &= _mm256_movemask_pd(mask[part]);
    }
    everywhere = not_zero == 15;
  }

  __m256d multiplier[kParts];
  __m256d mask[kParts];
  bool everywhere;
};

// Adds a piece's integers to the sums, and their squares to square_sums. If a multiplier is 0 its
// terms may be anything.
template <class T, bool kMasked, class TermsOf>
[[gnu::always_inline]] inline void add_terms(TermsOf terms, std::size_t count,
                                             const Multipliers& by, std::int64_t* sums,
                                             LaneDoubles& square_sums) {
  const __m256d rounder = _mm256_set1_pd(kRounder);
  __m256d multiplier[kParts], squares[kParts];
#pragma GCC unroll 4
  for (std::size_t part = 0; part < kParts; ++part) {
    multiplier[part] = by.multiplier[part];
    squares[part] = _mm256_load_pd(square_sums.lane + 4 * part);
  }
  auto* sum = reinterpret_cast<__m256i*>(sums);
  for (const __m256i* end = sum + count; sum != end; ++sum) {
    __m256i row = _mm256_loadu_si256(sum);
#pragma GCC unroll 2
    for (std::size_t half = 0; half < 2; ++half) {
      const EightDoubles eight = terms.eight_at(8 * half);
#pragma GCC unroll 2
      for (std::size_t part = 2 * half; part < 2 * half + 2; ++part) {
        __m256d term = part % 2 == 0 ? eight.low : eight.high;
        if constexpr (kMasked) term = _mm256_and_pd(term, by.mask[part]);
        const __m256d rounded = round_product<T>(term, multiplier[part]);
        row = _mm256_add_epi64(row, _mm256_castpd_si256(rounded));
        const __m256d n = _mm256_sub_pd(rounded, rounder);
        squares[part] = _mm256_fmadd_pd(n, n, squares[part]);
      }
    }
    _mm256_storeu_si256(sum, row);
    terms.next();
  }
#pragma GCC unroll 4
  for (std::size_t part = 0; part < kParts; ++part) {
    _mm256_store_pd(square_sums.lane + 4 * part, squares[part]);
  }
}

// The same, not inlined.
template <class T, bool kMasked, class TermsOf>
[[gnu::noinline]] void add_terms_apart(const TermsOf& terms, std::size_t count,
                                       const Multipliers& by, std::int64_t* sums,
                                       LaneDoubles& squares) {
  add_terms<T, kMasked>(terms, count, by, sums, squares);
}

// For terms in double the loop is a separate function, because its registers spill when inlined.
template <class T>
[[gnu::always_inline]] inline void add_piece(const ProductRun<T>& run, const Multipliers& by,
                                             std::int64_t* sums, LaneDoubles& squares) {
  with_terms(
      run, [&](const auto& terms) __attribute__((always_inline)) {
        if (!by.everywhere) {
          add_terms_apart<T, true>(terms, run.count, by, sums, squares);
        } else if constexpr (sizeof(T) == sizeof(double)) {
          add_terms_apart<T, false>(terms, run.count, by, sums, squares);
        } else {
          add_terms<T, false>(terms, run.count, by, sums, squares);
        }
      });
}

inline std::uint32_t lanes_within(const SweepRule& rule, const LaneDoubles& squares,
                                  std::uint32_t shortened) {
  std::uint32_t as_is = 0;
  std::uint32_t if_shortened = 0;
  for (std::size_t first = 0; first < kClipLanes; first += 4) {
    const __m256d four = _mm256_load_pd(squares.lane + first);
    const auto at_most = [&](double limit) {
      return static_cast<unsigned>(
                 _mm256_movemask_pd(_mm256_cmp_pd(four, _mm256_set1_pd(limit), _CMP_LE_OQ)))
             << first;
    };
    as_is |= at_most(rule.largest_square);
    if_shortened |= at_most(rule.largest_square_shortened);
  }
  return (as_is & ~shortened) | (if_shortened & shortened);
}

template <class T>
void avx2_add(const SweepRule& rule, std::span<const ProductBlock<T>> blocks,
              const std::uint32_t* active_lanes, std::int64_t* sums, SweptLanes* lanes) {
  LaneDoubles norms[kSweptAtOnce];
  const std::size_t count = blocks.size();
  for (std::size_t b = 0; b < count; ++b) norm_squares(blocks[b], norms[b]);
  for (std::size_t b = 0; b < count; ++b) {
    lanes[b].added = lanes[b].shortened = 0;
    set_eight(rule, norms[b].lane, *blocks[b].shares, active_lanes[b], 0, lanes[b]);
    set_eight(rule, norms[b].lane, *blocks[b].shares, active_lanes[b], 8, lanes[b]);
  }
  for (std::size_t b = 0; b < count; ++b) {
    LaneDoubles squares;
    clear(squares);
    for_each_piece(
        blocks[b], [&](const ProductRun<T>& run, const T* factors) __attribute__((always_inline)) {
          const Multipliers by(T{}, lanes[b], factors);
          add_piece(run, by, sums + kSumParts * run.first, squares);
        });
    lanes[b].within = lanes[b].added & lanes_within(rule, squares, lanes[b].shortened);
  }
}

}  // namespace

template <class T>
const SweepKernels<T>& avx2_sweep_kernels() {
  static constexpr SweepKernels<T> kKernels{avx2_add<T>};
  return kKernels;
}

template const SweepKernels<float>& avx2_sweep_kernels<float>();
template const SweepKernels<double>& avx2_sweep_kernels<double>();

}  // namespace dpvi
