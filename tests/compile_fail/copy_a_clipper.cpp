// refused: deleted
#include <dpvi/gradient/grid_clipper.hpp>

void outsider(dpvi::GridClipper& clipper) {
#ifndef CONTROL
  dpvi::GridClipper twin(clipper);
#endif
  static_cast<void>(clipper);
}
