#pragma once

#include <cstdint>

namespace dpvi {

// What a stream of random words is for. A number is never given to another purpose: two purposes
// that shared a stream would not be independent.
enum class StreamLabel : std::uint8_t {
  sampling = 1,          // which records take part in a step
  noise = 2,             // the noise of a release
  variational_draw = 3,  // Monte Carlo draws from the variational family
  initial_value = 4,     // where the optimiser starts
  predictive_draw = 5    // posterior and predictive draws, synthetic data
};

// Names one stream of a generator. Streams of different addresses never overlap, so any thread can
// produce any part of a step without asking the others.
struct StreamAddress {
  StreamLabel label;
  std::uint64_t step = 0;
  std::uint64_t block = 0;

  friend bool operator==(const StreamAddress&, const StreamAddress&) = default;
};

// Step and block each have 40 bits of the cipher's counter block.
inline constexpr std::uint64_t kStreamFieldLimit = std::uint64_t{1} << 40;

}  // namespace dpvi
