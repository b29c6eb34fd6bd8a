#include <dpvi/data/lane_transpose.hpp>

#include <cstring>

#include <dpvi/base/cpu_features.hpp>

namespace dpvi {

void transpose_words(const std::uint32_t* const* lanes, std::size_t words, void* out) {
  static const bool kFast = cpu_has_avx2_and_fma();
  if (kFast) {
    transpose_words_avx2(lanes, words, out);
    return;
  }
  constexpr std::size_t kLanes = 16;
  auto* to = static_cast<unsigned char*>(out);
  for (std::size_t word = 0; word < words; ++word) {
    for (std::size_t lane = 0; lane < kLanes; ++lane, to += sizeof(std::uint32_t)) {
      std::memcpy(to, lanes[lane] + word, sizeof(std::uint32_t));
    }
  }
}

}  // namespace dpvi
