#pragma once

#include <cstdint>

#include <dpvi/random/sampling_rate.hpp>
#include <dpvi/random/word_source.hpp>

namespace dpvi {

// Draws sixty-four independent Bernoulli(rate) bits, exactly. Lane i compares its own uniform u
// with Q - 1 bit by bit from the top; bit i of each random word is the next bit of that u. The loop
// ends once every lane is decided, after about seven words. If all bits are equal, u = Q - 1
// selects.
template <WordSource Source>
std::uint64_t bernoulli_lanes(Source& source, SamplingRate rate) {
  const std::uint64_t last = rate.last_selecting_word();
  std::uint64_t selected = 0;
  std::uint64_t undecided = ~std::uint64_t{0};
  for (int bit = 63; bit >= 0; --bit) {
    const std::uint64_t bits_of_lanes = source.next();
    // All ones if a 0 bit puts u below Q - 1; all zeros if a 1 bit puts u above it.
    const std::uint64_t bit_of_last = -((last >> bit) & 1);
    selected |= undecided & bit_of_last & ~bits_of_lanes;
    undecided &= ~(bit_of_last ^ bits_of_lanes);
    if (undecided == 0) return selected;
  }
  return selected | undecided;
}

}  // namespace dpvi
