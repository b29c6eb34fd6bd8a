#pragma once

#include <array>
#include <cstdint>
#include <optional>

namespace dpvi {

// The behaviour of getrandom(2) in test programs. kernel_entropy.cpp, which is linked into all of
// them, defines a function of that name, which the linker prefers to the C library's. The library
// itself has no such switch.
enum class KernelEntropy { real, fails, ends, interrupted_then_real, counts_up_two_at_a_time };

extern KernelEntropy kernel_entropy;

// During its lifetime, the next 32 bytes requested by this thread are this key, once. Other threads
// are not affected.
class NextKey {
 public:
  explicit NextKey(const std::array<std::uint8_t, 32>& key);
  ~NextKey();  // ends the program if the key was not used: the test would not be repeatable
  NextKey(const NextKey&) = delete;
  NextKey& operator=(const NextKey&) = delete;
};

}  // namespace dpvi
