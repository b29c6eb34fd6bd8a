// refused: invalid initialization|cannot convert|no matching function
#include <vector>

#include <dpvi/privacy/released.hpp>

// The interface of an optimiser.
void take_step(const dpvi::Released& gradient);

void outsider(const std::vector<double>& gradient) {
#ifndef CONTROL
  take_step(gradient);
#endif
  static_cast<void>(gradient);
}
