// refused: no matching (function|constructor)
#include <array>
#include <cstdint>
#include <span>

#include <dpvi/random/secure_generator.hpp>

namespace dpvi {

// Neither an outsider nor a class that borrows the tests' name can choose the key.
struct FixedKeyForTests {
  static SecureGenerator generator(const std::array<std::uint8_t, 32>& key) {
#ifndef CONTROL
    return SecureGenerator(std::span<const std::uint8_t, 32>(key));
#else
    return key.empty() ? SecureGenerator() : SecureGenerator();
#endif
  }
};

}  // namespace dpvi
