// refused: ClippedSum.*is private|private constructor of class .dpvi::ClippedSum
#include <dpvi/privacy/clipped_sum.hpp>

void outsider() {
#ifndef CONTROL
  dpvi::ClippedSum forged(nullptr);
#endif
}
