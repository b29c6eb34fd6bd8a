#pragma once

#include <cstdint>

namespace dpvi {

// Purpose of a stream of random words. A number is never reassigned to another purpose: two
// purposes that shared a stream would not be independent.
enum class StreamLabel : std::uint8_t {
  sampling = 1,          // selection of the records of a step
  noise = 2,             // the noise of a release
  variational_draw = 3,  // Monte Carlo draws from the variational family
  initial_value = 4,     // starting point of the optimiser
  predictive_draw = 5,   // posterior and predictive draws, synthetic data
  posterior_chain = 6    // Markov chains that sample the posterior
};

// Identifies one stream of a generator. Streams of different addresses never overlap, so any thread
// can produce any part of a step without coordination.
struct StreamAddress {
  StreamLabel label;
  std::uint64_t step = 0;
  std::uint64_t block = 0;

  friend bool operator==(const StreamAddress&, const StreamAddress&) = default;
};

// Step and block each occupy 40 bits of the cipher's counter block.
inline constexpr std::uint64_t kStreamFieldLimit = std::uint64_t{1} << 40;

}  // namespace dpvi
