#include <dpvi/gradient/clip_rows_avx2_internal.hpp>

namespace dpvi {
namespace {

// Four partial sums of one row.
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

// Eight partial sums of one row.
inline __m256i fold_small_lanes(const std::int32_t* integers) {
  const auto* row = reinterpret_cast<const __m256i*>(integers);
  return _mm256_add_epi32(_mm256_loadu_si256(row), _mm256_loadu_si256(row + 1));
}

// Of four rows: their sums over the lower, then over the upper half of the lanes.
inline __m256i fold_four_rows(const std::int32_t* integers) {
  const __m256i first =
      _mm256_hadd_epi32(fold_small_lanes(integers), fold_small_lanes(integers + kClipLanes));
  const __m256i second = _mm256_hadd_epi32(fold_small_lanes(integers + 2 * kClipLanes),
                                           fold_small_lanes(integers + 3 * kClipLanes));
  return _mm256_hadd_epi32(first, second);
}

inline void add_four(std::int64_t* sums, __m256i four_rows) {
  const __m128i total =
      _mm_add_epi32(_mm256_castsi256_si128(four_rows), _mm256_extracti128_si256(four_rows, 1));
  auto* target = reinterpret_cast<__m256i*>(sums);
  _mm256_storeu_si256(target,
                      _mm256_add_epi64(_mm256_loadu_si256(target), _mm256_cvtepi32_epi64(total)));
}

void avx2_add_small_lanes(const std::int32_t* integers, std::size_t rows, std::int64_t* sums) {
  std::size_t j = 0;
  for (; j + 4 <= rows; j += 4) add_four(sums + j, fold_four_rows(integers + j * kClipLanes));
  avx2_add_lanes(integers + j * kClipLanes, rows - j, sums + j);
}

}  // namespace

template <class T>
const ClipKernels<T>& avx2_clip_kernels() {
  static constexpr ClipKernels<T> kernels{
      avx2_largest<T>,  avx2_square_sums<T>, avx2_set_lanes<T>,   avx2_quantise<T>,
      avx2_truncate<T>, avx2_add_lanes,      avx2_add_small_lanes};
  return kernels;
}

template const ClipKernels<float>& avx2_clip_kernels<float>();
template const ClipKernels<double>& avx2_clip_kernels<double>();

}  // namespace dpvi
