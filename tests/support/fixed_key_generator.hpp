#pragma once

#include <array>
#include <cstdint>

#include <dpvi/random/secure_generator.hpp>

namespace dpvi {

// A secure generator whose words a test can repeat. Never installed: outside tests the key of a
// SecureGenerator comes from the kernel.
struct FixedKeyForTests {
  using Key = std::array<std::uint8_t, 32>;

  static SecureGenerator generator(const Key& key) { return SecureGenerator(key); }

  // The key is `number` in its first eight bytes, little-endian, and zeros.
  static SecureGenerator generator(std::uint64_t number) {
    Key key{};
    for (std::size_t i = 0; i < 8; ++i) key[i] = static_cast<std::uint8_t>(number >> (8 * i));
    return generator(key);
  }

  // A stream of which only the counters from `first_counter` on are left.
  static SecureStream late_stream(const SecureGenerator& generator, const StreamAddress& address,
                                  std::uint64_t first_counter) {
    return generator.stream_from(address, first_counter);
  }
};

}  // namespace dpvi
