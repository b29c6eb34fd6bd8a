#pragma once

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace dpvi {

// While an instance lives, its thread rounds to nearest, keeps denormals and traps no
// floating-point exceptions. This holds whatever mode the host program has set. For example, a
// library built with -ffast-math switches denormals off for the whole program that loads it.
class StandardFloatingPoint {
 public:
#if defined(__x86_64__)
  // Setting a mode is slow, so it is set only if it differs. The low bits are status flags left by
  // past operations; they have no effect.
  StandardFloatingPoint() : found_(_mm_getcsr()) {
    if (is_other()) _mm_setcsr(kStandard);
  }
  ~StandardFloatingPoint() {
    if (is_other()) _mm_setcsr(found_);
  }
#else
  StandardFloatingPoint() = default;
#endif
  StandardFloatingPoint(const StandardFloatingPoint&) = delete;
  StandardFloatingPoint& operator=(const StandardFloatingPoint&) = delete;

#if defined(__x86_64__)
 private:
  static constexpr unsigned kStandard = 0x1f80;
  static constexpr unsigned kFlags = 0x3f;
  bool is_other() const { return (found_ & ~kFlags) != kStandard; }
  unsigned found_;
#endif
};

}  // namespace dpvi
