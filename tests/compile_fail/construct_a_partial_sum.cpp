// refused: PartialSum.*is private|private constructor of class .dpvi::PartialSum
#include <dpvi/privacy/partial_sum.hpp>

void outsider() {
#ifndef CONTROL
  dpvi::PartialSum forged(nullptr);
#endif
}
