#include <immintrin.h>

#include <dpvi/data/lane_transpose.hpp>

namespace dpvi {
namespace {

constexpr std::size_t kLanes = 16;

inline __m256 load_eight(const std::uint32_t* words) {
  return _mm256_loadu_ps(reinterpret_cast<const float*>(words));
}

// Transposes eight words of eight records.
inline void transpose_eight(const std::uint32_t* const* lanes, std::size_t word, float* out) {
  __m256 rows[8];
  for (int i = 0; i < 8; ++i) rows[i] = load_eight(lanes[i] + word);
  __m256 pairs[8];
  for (int i = 0; i < 8; i += 2) {
    pairs[i] = _mm256_unpacklo_ps(rows[i], rows[i + 1]);
    pairs[i + 1] = _mm256_unpackhi_ps(rows[i], rows[i + 1]);
  }
  __m256 fours[8];
  for (int i = 0; i < 8; i += 4) {
    fours[i] = _mm256_shuffle_ps(pairs[i], pairs[i + 2], 0x44);
    fours[i + 1] = _mm256_shuffle_ps(pairs[i], pairs[i + 2], 0xee);
    fours[i + 2] = _mm256_shuffle_ps(pairs[i + 1], pairs[i + 3], 0x44);
    fours[i + 3] = _mm256_shuffle_ps(pairs[i + 1], pairs[i + 3], 0xee);
  }
  for (std::size_t i = 0; i < 4; ++i) {
    _mm256_storeu_ps(out + i * kLanes, _mm256_permute2f128_ps(fours[i], fours[i + 4], 0x20));
    _mm256_storeu_ps(out + (i + 4) * kLanes, _mm256_permute2f128_ps(fours[i], fours[i + 4], 0x31));
  }
}

}  // namespace

void transpose_words_avx2(const std::uint32_t* const* lanes, std::size_t words, void* out) {
  auto* to = static_cast<float*>(out);
  std::size_t word = 0;
  for (; word + 8 <= words; word += 8) {
    transpose_eight(lanes, word, to + word * kLanes);
    transpose_eight(lanes + 8, word, to + word * kLanes + 8);
  }
  for (; word < words; ++word) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      __builtin_memcpy(to + word * kLanes + lane, lanes[lane] + word, sizeof(float));
    }
  }
}

}  // namespace dpvi
