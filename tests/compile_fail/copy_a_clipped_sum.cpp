// refused: deleted
#include <dpvi/privacy/clipped_sum.hpp>

void outsider(dpvi::ClippedSum& sum) {
#ifndef CONTROL
  dpvi::ClippedSum again = sum;
#endif
  static_cast<void>(sum);
}
