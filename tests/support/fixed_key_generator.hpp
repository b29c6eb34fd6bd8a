#pragma once

#include <array>
#include <cstdint>

#include <dpvi/random/secure_generator.hpp>
#include <tests/support/kernel_entropy.hpp>
#include <tests/support/private_member.hpp>

namespace dpvi {

struct StreamFromTag {
  friend auto private_member(StreamFromTag);
};
template struct PrivateMember<StreamFromTag, &SecureGenerator::stream_from>;

// A secure generator whose words a test can repeat. The library has no hook for it: a
// SecureGenerator takes its key from getrandom(2), which test programs replace
// (kernel_entropy.hpp).
struct FixedKeyForTests {
  using Key = std::array<std::uint8_t, 32>;

  static SecureGenerator generator(const Key& key) {
    const NextKey next(key);
    return SecureGenerator();
  }

  // The key holds `number` in its first eight bytes, little-endian, followed by zeros.
  static Key key_of(std::uint64_t number) {
    Key key{};
    for (std::size_t i = 0; i < 8; ++i) key[i] = static_cast<std::uint8_t>(number >> (8 * i));
    return key;
  }
  static SecureGenerator generator(std::uint64_t number) { return generator(key_of(number)); }

  // A stream that starts at counter `first_counter`.
  static SecureStream late_stream(const SecureGenerator& generator, const StreamAddress& address,
                                  std::uint64_t first_counter) {
    return (generator.*private_member(StreamFromTag{}))(address, first_counter);
  }
};

}  // namespace dpvi
