// refused: discards qualifiers|drops 'const'
#include <utility>

#include <dpvi/privacy/gaussian_mechanism.hpp>

void outsider(dpvi::GaussianMechanism& mechanism, const dpvi::ClippedSum& sum) {
#ifndef CONTROL
  mechanism.release(std::move(sum));
  mechanism.release(std::move(sum));
#endif
  static_cast<void>(mechanism);
  static_cast<void>(sum);
}
