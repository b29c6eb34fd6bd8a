// refused: no matching (function|constructor)
#include <vector>

#include <dpvi/privacy/released.hpp>

void outsider() {
  const dpvi::ReleaseOrigin origin{};
  const std::vector<double> values = {1.0, 2.0};
#ifndef CONTROL
  dpvi::Released forged{origin, values};
#endif
}
