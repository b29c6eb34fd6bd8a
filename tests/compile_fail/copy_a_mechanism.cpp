// refused: deleted
#include <dpvi/privacy/gaussian_mechanism.hpp>

void outsider(dpvi::GaussianMechanism& mechanism) {
#ifndef CONTROL
  dpvi::GaussianMechanism twin(mechanism);
#endif
  static_cast<void>(mechanism);
}
