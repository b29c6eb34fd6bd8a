#pragma once

#include <cstdint>

#include <dpvi/random/sampling_rate.hpp>
#include <dpvi/random/word_source.hpp>

namespace dpvi {

// Sixty-four independent Bernoulli(rate) bits, exactly: lane i compares its own uniform u with Q -
// 1 bit by bit from the top, where bit i of each random word is the next bit of that u. It stops as
// soon as every lane is decided, after about seven words. (All bits equal: u = Q - 1 selects.)
template <WordSource Source>
std::uint64_t bernoulli_lanes(Source& source, SamplingRate rate) {
  const std::uint64_t last = rate.last_selecting_word();
  std::uint64_t selected = 0;
  std::uint64_t undecided = ~std::uint64_t{0};
  for (int bit = 63; bit >= 0; --bit) {
    const std::uint64_t bits_of_lanes = source.next();
    // All ones where u may still fall below, all zeros where it may still rise above.
    const std::uint64_t bit_of_last = -((last >> bit) & 1);
    selected |= undecided & bit_of_last & ~bits_of_lanes;
    undecided &= ~(bit_of_last ^ bits_of_lanes);
    if (undecided == 0) return selected;
  }
  return selected | undecided;
}

}  // namespace dpvi
