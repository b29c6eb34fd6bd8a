// refused: read-only|returns a const value
#include <dpvi/privacy/released.hpp>

void outsider(dpvi::Released& released) {
  auto values = released.values();
#ifndef CONTROL
  values[0] = 1.0;
#endif
  static_cast<void>(values);
}
