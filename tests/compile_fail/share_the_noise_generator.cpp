// refused: cannot bind rvalue reference|no matching (function|constructor)
#include <dpvi/privacy/gaussian_mechanism.hpp>

void outsider(dpvi::SecureGenerator& generator) {
#ifndef CONTROL
  dpvi::GaussianMechanism one(generator);
  dpvi::GaussianMechanism other(generator);
#endif
  static_cast<void>(generator);
}
