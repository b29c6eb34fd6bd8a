// refused: cannot convert|no viable conversion|no known conversion
#include <utility>

#include <dpvi/privacy/gaussian_mechanism.hpp>
#include <dpvi/privacy/unclipped_sum.hpp>

void outsider(dpvi::GaussianMechanism& mechanism, dpvi::UnclippedSum& sum) {
#ifndef CONTROL
  mechanism.release(std::move(sum));
#endif
  static_cast<void>(mechanism);
  static_cast<void>(sum);
}
