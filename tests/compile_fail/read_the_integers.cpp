// refused: storage_.*(is private|private member)
#include <dpvi/privacy/clipped_sum.hpp>

auto outsider(dpvi::ClippedSum& sum) {
#ifndef CONTROL
  return sum.storage_.get();
#else
  return sum.dimension();
#endif
}
