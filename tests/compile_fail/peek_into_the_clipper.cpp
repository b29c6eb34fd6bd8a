// refused: (integers_.*is private|private member of)
#include <dpvi/gradient/grid_clipper.hpp>

void outsider(dpvi::GridClipper& clipper) {
#ifndef CONTROL
  static_cast<void>(clipper.integers_[0]);
#endif
  static_cast<void>(clipper);
}
