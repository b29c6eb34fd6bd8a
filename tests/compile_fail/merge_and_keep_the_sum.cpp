// refused: cannot bind rvalue reference|cannot bind to lvalue
#include <dpvi/privacy/clipped_sum.hpp>

void outsider(dpvi::ClippedSum& sum, dpvi::ClippedSum& other) {
#ifndef CONTROL
  sum.merge(other);
#endif
  static_cast<void>(sum);
  static_cast<void>(other);
}
