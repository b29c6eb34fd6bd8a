// refused: no matching (function|constructor)
#include <vector>

#include <dpvi/privacy/clipped_sum.hpp>

void outsider() {
  const std::vector<long> integers = {1, 2, 3};
#ifndef CONTROL
  dpvi::ClippedSum forged{dpvi::NoiseGrid(2.0), 1.0, integers};
#endif
}
