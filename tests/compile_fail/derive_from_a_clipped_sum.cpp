// refused: marked 'final'|from 'final' base
#include <dpvi/privacy/clipped_sum.hpp>

#ifndef CONTROL
class Heir : public dpvi::ClippedSum {
 public:
  using ClippedSum::ClippedSum;
};
#endif
