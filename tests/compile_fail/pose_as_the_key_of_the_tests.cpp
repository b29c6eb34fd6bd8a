// refused: is private within this context|is a private member
#include <array>
#include <cstdint>

#include <dpvi/random/secure_generator.hpp>

namespace dpvi {

// Tests make generators with a fixed key under this name. The name itself grants no access.
struct FixedKeyForTests {
  static SecureStream late(const SecureGenerator& generator) {
#ifndef CONTROL
    return generator.stream_from({StreamLabel::noise, 0, 0}, 7);
#else
    return generator.stream({StreamLabel::noise, 0, 0});
#endif
  }
};

}  // namespace dpvi
