// refused: ClippedSum.*is private|private constructor of class .dpvi::ClippedSum
// Guarantee: only a Collective makes one, only a mechanism reads its integers, and a mechanism
// consumes it.
#include <dpvi/privacy/clipped_sum.hpp>

void outsider() {
#ifndef CONTROL
  dpvi::ClippedSum forged(nullptr);
#endif
}
