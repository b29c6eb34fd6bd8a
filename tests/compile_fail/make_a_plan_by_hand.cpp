// refused: no matching function for call to .*PrivateFitPlan|is private within this context
#include <dpvi/fit/train/private_fit.hpp>

void outsider(const dpvi::PrivateFitPlan& finished) {
#ifndef CONTROL
  const dpvi::PrivateFitPlan plan{};
#endif
  const dpvi::PrivateFitPlan shared = finished;
}
