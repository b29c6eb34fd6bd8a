// refused: cannot convert|no viable conversion|no known conversion
#include <cstdint>
#include <vector>

#include <dpvi/privacy/gaussian_mechanism.hpp>

void outsider(dpvi::GaussianMechanism& mechanism, std::vector<std::int64_t>& sums) {
#ifndef CONTROL
  mechanism.release(std::move(sums));
#endif
  static_cast<void>(mechanism);
  static_cast<void>(sums);
}
