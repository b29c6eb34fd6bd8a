#pragma once

#include <immintrin.h>

#include <cstddef>
#include <cstdint>

#include <benchmarks/record_gradient_lanes.hpp>

// Hand-written clipping to the grid and summing, for the hand-written models: a plain bound, no
// clip coordinate, 16 lanes, AVX2. It shares only the computed function with the library's clipper.
// Squares are added in four parts of T, 64 rows at a time. A gradient longer than C is shortened to
// just below D grid steps. Integers are rounded to nearest, ties to even. Their squares, whole
// numbers below 2^53 in doubles, are summed exactly and compared with D^2.
namespace dpvi::lanes_by_hand {

using Quads = __m256d[4];  // 16 lanes

[[gnu::always_inline]] inline __m256d quad(const float* row, int part) {
  return _mm256_cvtps_pd(_mm_loadu_ps(row + 4 * part));
}
[[gnu::always_inline]] inline __m256d quad(const double* row, int part) {
  return _mm256_loadu_pd(row + 4 * part);
}

// Subtracts `less` from every entry.
[[gnu::always_inline]] inline __m256d quad(const float* row, int part, float less) {
  return _mm256_cvtps_pd(_mm_sub_ps(_mm_loadu_ps(row + 4 * part), _mm_set1_ps(less)));
}
[[gnu::always_inline]] inline __m256d quad(const double* row, int part, double less) {
  return _mm256_sub_pd(_mm256_loadu_pd(row + 4 * part), _mm256_set1_pd(less));
}

// Converts a row that is in registers to doubles.
[[gnu::always_inline]] inline void widen(const Row<float>& row, Quads& wide) {
  for (int v = 0; v < 2; ++v) {
    const auto eight = reinterpret_cast<const __m256&>(row[v]);
    wide[2 * v] = _mm256_cvtps_pd(_mm256_castps256_ps128(eight));
    wide[2 * v + 1] = _mm256_cvtps_pd(_mm256_extractf128_ps(eight, 1));
  }
}
[[gnu::always_inline]] inline void widen(const Row<double>& row, Quads& wide) {
  for (int v = 0; v < 4; ++v) wide[v] = reinterpret_cast<const __m256d&>(row[v]);
}

// Sums of squares over up to 64 rows.
template <class T>
struct SquareParts {
  Row<T> part[4] = {};

  [[gnu::always_inline]] void add(int row, int v, Vector<T> entry) {
    part[row % 4][v] += entry * entry;
  }
  [[gnu::always_inline]] void total(Quads& wide) const {
    Row<T> sum;
    for (int v = 0; v < kVectors<T>; ++v) {
      sum[v] = (part[0][v] + part[1][v]) + (part[2][v] + part[3][v]);
    }
    widen(sum, wide);
  }
};

inline constexpr double kWholeRounder = 0x1.8p52;

// Computes the scaling factors from squared norms.
[[gnu::always_inline]] inline void factors_of(const HandTarget& target, const Quads& squares,
                                              Quads& factor) {
  const __m256d unclipped = _mm256_set1_pd(target.unclipped);
  for (int half = 0; half < 2; ++half) {
    const __m256 norm = _mm256_sqrt_ps(_mm256_set_m128(_mm256_cvtpd_ps(squares[2 * half + 1]),
                                                       _mm256_cvtpd_ps(squares[2 * half])));
    const __m256 at_bound = _mm256_div_ps(_mm256_set1_ps(target.length), norm);
    const __m256d norms[2] = {_mm256_cvtps_pd(_mm256_castps256_ps128(norm)),
                              _mm256_cvtps_pd(_mm256_extractf128_ps(norm, 1))};
    const __m256d shorter[2] = {_mm256_cvtps_pd(_mm256_castps256_ps128(at_bound)),
                                _mm256_cvtps_pd(_mm256_extractf128_ps(at_bound, 1))};
    for (int part = 0; part < 2; ++part) {
      const __m256d stays =
          _mm256_cmp_pd(_mm256_mul_pd(norms[part], unclipped),
                        _mm256_set1_pd(static_cast<double>(target.length)), _CMP_LT_OQ);
      factor[2 * half + part] = _mm256_blendv_pd(shorter[part], unclipped, stays);
    }
  }
}

// Adds rows of integers and their squares.
template <class T>
class Adder {
 public:
  explicit Adder(std::int64_t* sums) : sums_(reinterpret_cast<__m256i*>(sums)) {
    for (__m256d& part : squares_) part = _mm256_setzero_pd();
  }

  // Sets the multiplier of the entries: the factor, truncated to the precision of T.
  [[gnu::always_inline]] void multiply_by(const Quads& factor) {
    for (int part = 0; part < 4; ++part) multiplier_[part] = cut(factor[part]);
  }
  [[gnu::always_inline]] void multiply_by(const Quads& factor, const Quads& size) {
    for (int part = 0; part < 4; ++part) {
      multiplier_[part] = cut(_mm256_mul_pd(size[part], factor[part]));
    }
  }

  [[gnu::always_inline]] void add(const T* row) {
    __m256i sum = _mm256_loadu_si256(sums_);
    for (int part = 0; part < 4; ++part) add(part, quad(row, part), sum);
    _mm256_storeu_si256(sums_++, sum);
  }
  [[gnu::always_inline]] void add(const Row<T>& row) {
    Quads wide;
    widen(row, wide);
    __m256i sum = _mm256_loadu_si256(sums_);
    for (int part = 0; part < 4; ++part) add(part, wide[part], sum);
    _mm256_storeu_si256(sums_++, sum);
  }
  [[gnu::always_inline]] void add(const T* row, T less) {
    __m256i sum = _mm256_loadu_si256(sums_);
    for (int part = 0; part < 4; ++part) add(part, quad(row, part, less), sum);
    _mm256_storeu_si256(sums_++, sum);
  }
  // Adds a row whose coordinate differs between lanes.
  [[gnu::always_inline]] void add_own(const Row<T>& row, const std::int32_t* own,
                                      std::int64_t* sums) {
    Quads wide;
    widen(row, wide);
    alignas(32) std::int64_t bits[16];
    for (int part = 0; part < 4; ++part) {
      __m256i rounded = _mm256_setzero_si256();
      add(part, wide[part], rounded);
      _mm256_store_si256(reinterpret_cast<__m256i*>(bits) + part, rounded);
    }
    for (int lane = 0; lane < 16; ++lane) sums[own[lane]] += bits[lane] - kHandRounder;
    ++sums_;
  }

  // Returns whether every lane is within the bound; a NaN is not.
  [[gnu::always_inline]] bool all_within(double bound) const {
    const __m256d limit = _mm256_set1_pd(bound * bound);
    int within = 15;
    for (const __m256d squares : squares_) {
      within &= _mm256_movemask_pd(_mm256_cmp_pd(squares, limit, _CMP_LE_OQ));
    }
    return within == 15;
  }

 private:
  static __m256d cut(__m256d factor) {
    if constexpr (sizeof(T) == sizeof(double)) return factor;
    const __m256i digits = _mm256_set1_epi64x(~((1LL << 29) - 1));
    return _mm256_and_pd(factor, _mm256_castsi256_pd(digits));
  }

  [[gnu::always_inline]] void add(int part, __m256d entry, __m256i& sum) {
    const __m256d rounder = _mm256_set1_pd(kWholeRounder);
    __m256d rounded;
    if constexpr (sizeof(T) == sizeof(float)) {
      rounded = _mm256_fmadd_pd(entry, multiplier_[part], rounder);  // the product is exact
    } else {
      rounded = _mm256_add_pd(_mm256_mul_pd(entry, multiplier_[part]), rounder);
    }
    sum = _mm256_add_epi64(sum, _mm256_castpd_si256(rounded));
    const __m256d n = _mm256_sub_pd(rounded, rounder);
    squares_[part] = _mm256_fmadd_pd(n, n, squares_[part]);
  }

  __m256i* sums_;
  Quads multiplier_;
  Quads squares_;
};

}  // namespace dpvi::lanes_by_hand
