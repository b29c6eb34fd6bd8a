#pragma once

#include <cstddef>
#include <cstdint>

namespace dpvi {

// Internal to the record table: lays the words of 16 records side by side,
// word 16 * i + lane of `out` is lanes[lane][i], whatever its type.
void transpose_words(const std::uint32_t* const* lanes, std::size_t words, void* out);

// Only for a processor that has AVX2.
void transpose_words_avx2(const std::uint32_t* const* lanes, std::size_t words, void* out);

}  // namespace dpvi
