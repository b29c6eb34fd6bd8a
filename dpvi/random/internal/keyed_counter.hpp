#pragma once

#include <cstdint>
#include <span>

#include <dpvi/random/secure_generator.hpp>

namespace dpvi {

// AES-256 in counter mode under this key.
CipherContext keyed_counter(std::span<const std::uint8_t, 32> key);

// A copy of the cipher that starts at this counter of the stream with this address. It only reads
// the original, so threads may call it concurrently.
CipherContext counter_at(const CipherContext& keyed, const StreamAddress& address,
                         std::uint64_t first_counter);

}  // namespace dpvi
