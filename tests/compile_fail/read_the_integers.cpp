// refused: storage_.*(is private|private member)
// Guarantee: only a Collective makes one, only a mechanism reads its integers, and a mechanism
// consumes it.
#include <dpvi/privacy/clipped_sum.hpp>

auto outsider(dpvi::ClippedSum& sum) {
#ifndef CONTROL
  return sum.storage_.get();
#else
  return sum.dimension();
#endif
}
