#pragma once

namespace dpvi {

// True if this processor runs the kernels in files named *_avx2.cpp (AVX2 and FMA).
inline bool cpu_has_avx2_and_fma() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
#else
  return false;
#endif
}

}  // namespace dpvi
