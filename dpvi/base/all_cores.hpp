#pragma once

#include <algorithm>
#include <thread>

namespace dpvi {

// Number of processor cores; at least 1.
inline int all_cores() {
  return static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
}

}  // namespace dpvi
