// refused: Released.*is private|private constructor of class .dpvi::Released
#include <dpvi/privacy/released.hpp>

void outsider() {
#ifndef CONTROL
  dpvi::Released forged(nullptr);
#endif
}
