// refused: deleted
#include <dpvi/privacy/partial_sum.hpp>

void outsider(dpvi::PartialSum& part) {
#ifndef CONTROL
  dpvi::PartialSum again = part;
#endif
  static_cast<void>(part);
}
