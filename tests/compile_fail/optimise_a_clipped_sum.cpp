// refused: invalid initialization|cannot convert|no matching function
#include <dpvi/privacy/clipped_sum.hpp>
#include <dpvi/privacy/released.hpp>

// The interface of an optimiser.
void take_step(const dpvi::Released& gradient);

void outsider(const dpvi::ClippedSum& sum) {
#ifndef CONTROL
  take_step(sum);
#endif
  static_cast<void>(sum);
}
