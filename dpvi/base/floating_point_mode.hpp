#pragma once

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace dpvi {

// For as long as it lives, this thread rounds to nearest, keeps denormals and traps nothing,
// whatever mode its host had set: a library built with -ffast-math switches denormals off for the
// whole program that loads it.
class StandardFloatingPoint {
 public:
#if defined(__x86_64__)
  StandardFloatingPoint() : found_(_mm_getcsr()) { _mm_setcsr(kStandard); }
  ~StandardFloatingPoint() { _mm_setcsr(found_); }
#else
  StandardFloatingPoint() = default;
#endif
  StandardFloatingPoint(const StandardFloatingPoint&) = delete;
  StandardFloatingPoint& operator=(const StandardFloatingPoint&) = delete;

#if defined(__x86_64__)
 private:
  static constexpr unsigned kStandard = 0x1f80;
  unsigned found_;
#endif
};

}  // namespace dpvi
