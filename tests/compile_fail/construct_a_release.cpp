// refused: Released::Released.*(is private|private constructor)
#include <dpvi/privacy/released.hpp>

void outsider() {
#ifndef CONTROL
  dpvi::Released forged(nullptr);
#endif
}
