#pragma once

#include <cstddef>
#include <cstdint>

namespace dpvi {

// Internal to the record table: interleaves the words of 16 records. Word 16 * i + lane of `out` is
// lanes[lane][i], regardless of its type.
void transpose_words(const std::uint32_t* const* lanes, std::size_t words, void* out);

// Requires a processor with AVX2.
void transpose_words_avx2(const std::uint32_t* const* lanes, std::size_t words, void* out);

}  // namespace dpvi
