// refused: Released.*is private|private constructor of class .dpvi::Released
// Guarantee: only a mechanism makes one.
#include <dpvi/privacy/released.hpp>

void outsider() {
#ifndef CONTROL
  dpvi::Released forged(nullptr);
#endif
}
