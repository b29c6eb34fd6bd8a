// refused: no matching function for call to .open_records
// Guarantee: opening private records takes a finished plan, and opened records serve one fit, under
// that plan.
#include <dpvi/fit/train/private_fit.hpp>

void outsider(const dpvi::PrivateFitPlan& plan, const dpvi::FillRecords& fill) {
  static_cast<void>(plan);
#ifndef CONTROL
  dpvi::PrivateRecords records = dpvi::open_records(fill);
#else
  dpvi::PrivateRecords records = dpvi::open_records(plan, fill);
#endif
}
