// refused: invalid initialization|cannot convert|no matching function
#include <vector>

#include <dpvi/privacy/released.hpp>

// As an optimiser does.
void take_step(const dpvi::Released& gradient);

void outsider(const std::vector<double>& gradient) {
#ifndef CONTROL
  take_step(gradient);
#endif
  static_cast<void>(gradient);
}
