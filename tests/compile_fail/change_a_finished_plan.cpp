// refused: assignment of member .*epsilon.* in read-only object
#include <dpvi/fit/train/private_fit.hpp>

void outsider(dpvi::PrivateFitPlan& finished) {
#ifndef CONTROL
  finished.privacy().epsilon = 0.1;
#endif
  static_cast<void>(finished);
}
