#include <dpvi/gradient/clip_products_internal.hpp>
#include <dpvi/gradient/clip_rows_avx2_internal.hpp>

namespace dpvi {
namespace {

inline __m256 load(const float* from) { return _mm256_loadu_ps(from); }
inline __m256d load(const double* from) { return _mm256_loadu_pd(from); }
inline void store(float* to, __m256 v) { _mm256_store_ps(to, v); }
inline void store(double* to, __m256d v) { _mm256_store_pd(to, v); }
inline __m256 repeat(float x) { return _mm256_set1_ps(x); }
inline __m256d repeat(double x) { return _mm256_set1_pd(x); }
inline __m256 add(__m256 a, __m256 b) { return _mm256_add_ps(a, b); }
inline __m256d add(__m256d a, __m256d b) { return _mm256_add_pd(a, b); }
inline __m256 subtract(__m256 a, __m256 b) { return _mm256_sub_ps(a, b); }
inline __m256d subtract(__m256d a, __m256d b) { return _mm256_sub_pd(a, b); }
inline __m256 multiply(__m256 a, __m256 b) { return _mm256_mul_ps(a, b); }
inline __m256d multiply(__m256d a, __m256d b) { return _mm256_mul_pd(a, b); }
// The order of the operands makes a NaN the limit.
inline __m256 within(__m256 v, __m256 limit, __m256 minus_limit) {
  return _mm256_max_ps(_mm256_min_ps(v, limit), minus_limit);
}
inline __m256d within(__m256d v, __m256d limit, __m256d minus_limit) {
  return _mm256_max_pd(_mm256_min_pd(v, limit), minus_limit);
}

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

// The terms of a run, in one vector of lanes at a time, row after row.
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
  [[gnu::always_inline]] void next() {
    column += step;
    if constexpr (kCentred) ++centre;
    if constexpr (kScaled) ++scale;
  }

  const T* column;
  std::ptrdiff_t step;
  const T* centre;
  const T* scale;
};

// Calls work(terms) with the form of terms that the run has.
template <class T, class Work>
inline void with_terms(const ProductRun<T>& run, const Work& work) {
  if (run.centres != nullptr && run.scales != nullptr) return work(Terms<T, true, true>(run));
  if (run.centres != nullptr) return work(Terms<T, true, false>(run));
  if (run.scales != nullptr) return work(Terms<T, false, true>(run));
  work(Terms<T, false, false>(run));
}

template <class T>
struct alignas(64) LaneSums {
  T lane[kClipLanes];
};

// Sums of squared terms, two vectors of lanes at a time.
template <class T, class TermsOf>
[[gnu::always_inline]] inline void sum_squares(const TermsOf& from_first, std::size_t count,
                                               LaneSums<T>& sums) {
  for (std::size_t first = 0; first < kClipLanes; first += 2 * kWidth<T>) {
    TermsOf terms = from_first;
    Vector<T> parts[4][2];
#pragma GCC unroll 4
    for (auto& part : parts) part[0] = part[1] = repeat(T(0));
    const auto add_row = [&](std::size_t part) {
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
    for (std::size_t v = 0; v < 2; ++v) {
      store(sums.lane + first + v * kWidth<T>,
            add(add(parts[0][v], parts[1][v]), add(parts[2][v], parts[3][v])));
    }
  }
}

inline __m256d four_doubles(const float* from) { return _mm256_cvtps_pd(_mm_loadu_ps(from)); }
inline __m256d four_doubles(const double* from) { return _mm256_loadu_pd(from); }

template <class T>
ProductLanes avx2_add_squares(const ProductRun<T>& run, const T* factor, ClipValues& sums) {
  LaneSums<T> squares;
  with_terms(run, [&](const auto& terms) { sum_squares<T>(terms, run.count, squares); });
  ProductLanes lanes;
  const __m256d zero = _mm256_setzero_pd();
  const __m256d least = _mm256_set1_pd(static_cast<double>(kLeastSquares<T>));
  const __m256d most = _mm256_set1_pd(static_cast<double>(kMostSquares<T>));
  for (std::size_t first = 0; first < kClipLanes; first += 4) {
    const __m256d size = four_doubles(factor + first);
    const __m256d square = four_doubles(squares.lane + first);
    const __m256d counts = _mm256_cmp_pd(size, zero, _CMP_NEQ_UQ);
    const __m256d product = _mm256_mul_pd(_mm256_mul_pd(size, size), square);
    const __m256d sum = _mm256_load_pd(sums.lane + first);
    _mm256_store_pd(sums.lane + first, _mm256_add_pd(sum, _mm256_and_pd(counts, product)));
    const __m256d in_range = _mm256_and_pd(_mm256_cmp_pd(square, least, _CMP_GE_OQ),
                                           _mm256_cmp_pd(square, most, _CMP_LE_OQ));
    // In range, or the factor is 0.
    const int outside = _mm256_movemask_pd(_mm256_andnot_pd(in_range, counts));
    lanes.usable |= (static_cast<unsigned>(outside) ^ 15u) << first;
    const int vanished = _mm256_movemask_pd(_mm256_cmp_pd(square, zero, _CMP_EQ_OQ));
    lanes.zero |= static_cast<unsigned>(vanished) << first;
  }
  return lanes;
}

// The lower halves of four masks, as 32-bit masks.
inline __m128i narrow_four(__m256d masks) {
  const __m128 low = _mm_castpd_ps(_mm256_castpd256_pd128(masks));
  const __m128 high = _mm_castpd_ps(_mm256_extractf128_pd(masks, 1));
  return _mm_castps_si128(_mm_shuffle_ps(low, high, 0x88));
}

// Rounded toward zero: where the nearest is longer, its neighbour on the shorter side.
inline __m128 toward_zero(__m256d four) {
  const __m256d sign = _mm256_set1_pd(-0.0);
  const __m128 nearest = _mm256_cvtpd_ps(four);
  const __m256d length = _mm256_andnot_pd(sign, _mm256_cvtps_pd(nearest));
  const __m256d too_long = _mm256_cmp_pd(length, _mm256_andnot_pd(sign, four), _CMP_GT_OQ);
  // -1 where one step is to be taken.
  return _mm_castsi128_ps(_mm_add_epi32(_mm_castps_si128(nearest), narrow_four(too_long)));
}

// Stores the multipliers of eight lanes; 32-bit masks of those that are not 0.
inline __m256i store_multipliers(float* to, __m256d low, __m256d high) {
  const __m256 eight = _mm256_set_m128(toward_zero(high), toward_zero(low));
  _mm256_store_ps(to, eight);
  return _mm256_castps_si256(_mm256_cmp_ps(eight, _mm256_setzero_ps(), _CMP_NEQ_UQ));
}
inline __m256i store_multipliers(double* to, __m256d low, __m256d high) {
  _mm256_store_pd(to, low);
  _mm256_store_pd(to + 4, high);
  const __m256d zero = _mm256_setzero_pd();
  return narrow_masks(_mm256_cmp_pd(low, zero, _CMP_NEQ_UQ),
                      _mm256_cmp_pd(high, zero, _CMP_NEQ_UQ));
}

template <class T>
[[gnu::always_inline]] inline void set_product_rule(const LaneRule<T>& rule, const T* factor,
                                                    ProductRule<T>& product) {
  product.limit = rule.limit;
  product.rows_at_a_time = rule.rows_at_a_time;
  for (std::size_t first = 0; first < kClipLanes; first += 8) {
    const __m256d low =
        _mm256_mul_pd(four_doubles(factor + first), _mm256_load_pd(rule.exact + first));
    const __m256d high =
        _mm256_mul_pd(four_doubles(factor + first + 4), _mm256_load_pd(rule.exact + first + 4));
    const __m256i not_zero = store_multipliers(product.multiplier + first, low, high);
    const __m256i keep = _mm256_load_si256(reinterpret_cast<const __m256i*>(rule.keep + first));
    _mm256_store_si256(reinterpret_cast<__m256i*>(product.keep + first),
                       _mm256_and_si256(keep, not_zero));
  }
}

// Eight lanes of a rule.
template <class T>
class EightMultipliers;

template <>
class EightMultipliers<float> {
 public:
  EightMultipliers(const ProductRule<float>& rule, std::size_t first)
      : multiplier_(_mm256_load_ps(rule.multiplier + first)) {}

  template <bool kTruncate, class TermsOf>
  [[gnu::always_inline]] __m256i integers(const TermsOf& terms, std::size_t first, __m256 limit,
                                          __m256 minus_limit) const {
    const __m256 v = within(multiply(terms.at(first), multiplier_), limit, minus_limit);
    return kTruncate ? _mm256_cvttps_epi32(v) : _mm256_cvtps_epi32(v);
  }

 private:
  __m256 multiplier_;
};

template <>
class EightMultipliers<double> {
 public:
  EightMultipliers(const ProductRule<double>& rule, std::size_t first)
      : multiplier_{_mm256_load_pd(rule.multiplier + first),
                    _mm256_load_pd(rule.multiplier + first + 4)} {}

  template <bool kTruncate, class TermsOf>
  [[gnu::always_inline]] __m256i integers(const TermsOf& terms, std::size_t first, __m256d limit,
                                          __m256d minus_limit) const {
    __m128i halves[2];
    for (std::size_t part = 0; part < 2; ++part) {
      const __m256d v =
          within(multiply(terms.at(first + 4 * part), multiplier_[part]), limit, minus_limit);
      halves[part] = kTruncate ? _mm256_cvttpd_epi32(v) : _mm256_cvtpd_epi32(v);
    }
    return _mm256_set_m128i(halves[1], halves[0]);
  }

 private:
  __m256d multiplier_[2];
};

// Integers of all lanes: where kTruncate, those of lanes that are not kept stay as they are.
template <class T, bool kTruncate, class TermsOf>
[[gnu::always_inline]] inline void write_lanes(TermsOf terms, std::size_t count,
                                               const ProductRule<T>& rule, std::int32_t* integers,
                                               LaneSquares& sums) {
  const EightMultipliers<T> multipliers[2] = {{rule, 0}, {rule, 8}};
  const Vector<T> limit = repeat(rule.limit);
  const Vector<T> minus_limit = repeat(-rule.limit);
  const auto* keep = reinterpret_cast<const __m256i*>(rule.keep);
  const __m256i kept[2] = {_mm256_load_si256(keep), _mm256_load_si256(keep + 1)};
  SquaresOfEight squares[2];
  auto* place = reinterpret_cast<__m256i*>(integers);
  while (count > 0) {
    const std::size_t rows = count < rule.rows_at_a_time ? count : rule.rows_at_a_time;
    count -= rows;
    for (const __m256i* end = place + 2 * rows; place != end; place += 2) {
#pragma GCC unroll 2
      for (std::size_t half = 0; half < 2; ++half) {
        __m256i n =
            multipliers[half].template integers<kTruncate>(terms, 8 * half, limit, minus_limit);
        if constexpr (kTruncate) {
          n = _mm256_blendv_epi8(_mm256_loadu_si256(place + half), n, kept[half]);
        } else {
          n = _mm256_and_si256(kept[half], n);
        }
        _mm256_storeu_si256(place + half, n);
        squares[half].add(n);
      }
      terms.next();
    }
    squares[0].hold_below_many();
    squares[1].hold_below_many();
  }
  squares[0].store(sums.lane);
  squares[1].store(sums.lane + 8);
}

struct Avx2Loops {
  // What is read four lanes at a time is written so too.
  static void fill(double* lanes, double number) {
    for (std::size_t first = 0; first < kClipLanes; first += 4) {
      _mm256_store_pd(lanes + first, _mm256_set1_pd(number));
    }
  }
  static void fill(std::uint64_t* lanes, std::uint64_t number) {
    for (std::size_t first = 0; first < kClipLanes; first += 4) {
      _mm256_store_si256(reinterpret_cast<__m256i*>(lanes + first),
                         _mm256_set1_epi64x(static_cast<long long>(number)));
    }
  }
  template <class T>
  static ClipValues square_sums(const T* block, std::size_t rows, const ClipValues& prescale) {
    return avx2_square_sums(block, rows, prescale);
  }
  template <class T>
  static ProductLanes add_squares(const ProductRun<T>& run, const T* factor, ClipValues& sums) {
    return avx2_add_squares(run, factor, sums);
  }
  template <class T>
  static void set_lanes(const ClipValues& square_sums, const ClipValues& prescale,
                        const FactorRule& factors, std::uint32_t active, LaneRule<T>& rule) {
    avx2_set_lanes(square_sums, prescale, factors, active, rule);
  }
  template <class T>
  static void set_rule(const LaneRule<T>& rule, const T* factor, ProductRule<T>& product) {
    set_product_rule(rule, factor, product);
  }
  template <bool kTruncate, class T>
  static LaneSquares write_rows(const T* block, std::size_t rows, const LaneRule<T>& rule,
                                std::int32_t* integers) {
    return kTruncate ? avx2_truncate(block, rows, rule, integers)
                     : avx2_quantise(block, rows, rule, integers);
  }
  template <bool kTruncate, class T>
  static void write_run(const ProductRun<T>& run, const ProductRule<T>& rule,
                        std::int32_t* integers, LaneSquares& squares) {
    LaneSquares own;
    with_terms(run, [&](const auto& terms) {
      write_lanes<T, kTruncate>(terms, run.count, rule, integers, own);
    });
    for (std::size_t k = 0; k < kClipLanes; ++k) {
      const std::uint64_t sum = squares.lane[k] + own.lane[k];
      squares.lane[k] = sum < kManySquares ? sum : kManySquares;
    }
  }
};

}  // namespace

template <class T>
const ProductKernels<T>& avx2_product_kernels() {
  static constexpr ProductKernels<T> kernels{clip_products<Avx2Loops, T>};
  return kernels;
}

template const ProductKernels<float>& avx2_product_kernels<float>();
template const ProductKernels<double>& avx2_product_kernels<double>();

}  // namespace dpvi
