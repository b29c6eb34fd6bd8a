// refused: ClippedSum::ClippedSum.*(is private|private constructor)
#include <dpvi/privacy/clipped_sum.hpp>

void outsider() {
#ifndef CONTROL
  dpvi::ClippedSum forged(nullptr);
#endif
}
