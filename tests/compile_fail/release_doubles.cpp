// refused: cannot convert|no viable conversion|no known conversion
#include <vector>

#include <dpvi/privacy/gaussian_mechanism.hpp>

void outsider(dpvi::GaussianMechanism& mechanism, std::vector<double>& gradient) {
#ifndef CONTROL
  mechanism.release(gradient);
#endif
  static_cast<void>(mechanism);
  static_cast<void>(gradient);
}
