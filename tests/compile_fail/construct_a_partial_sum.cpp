// refused: PartialSum.*is private|private constructor of class .dpvi::PartialSum
// Guarantee: only GridClipper makes one, only a Collective reads its integers, and a Collective
// consumes it.
#include <dpvi/privacy/partial_sum.hpp>

void outsider() {
#ifndef CONTROL
  dpvi::PartialSum forged(nullptr);
#endif
}
