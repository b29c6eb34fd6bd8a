// refused: marked 'final'|from 'final' base
#include <dpvi/gradient/grid_clipper.hpp>

#ifndef CONTROL
class Heir : public dpvi::GridClipper {
 public:
  using GridClipper::GridClipper;
};
#endif
