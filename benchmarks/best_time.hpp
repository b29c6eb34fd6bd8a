#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>

namespace dpvi {

// Nanoseconds of the fastest of several rounds; slower rounds were disturbed.
template <class Work>
double best_time(Work work) {
  constexpr int kRounds = 20;
  double best = INFINITY;
  for (int round = 0; round < kRounds; ++round) {
    const auto start = std::chrono::steady_clock::now();
    work();
    const std::chrono::duration<double, std::nano> spent = std::chrono::steady_clock::now() - start;
    best = std::min(best, spent.count());
  }
  return best;
}

// CPU time of this thread, in nanoseconds.
inline double processor_time() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
}

// Keeps the compiler from discarding the data at `address`, as if it were read.
inline void keep(const void* address) { asm volatile("" : : "r"(address) : "memory"); }

}  // namespace dpvi
