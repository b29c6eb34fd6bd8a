// refused: PrivateRecords.* is private within this context
#include <dpvi/fit/train/private_fit.hpp>

void outsider(const dpvi::PrivateFitPlan& plan, dpvi::RecordTable table) {
#ifndef CONTROL
  const dpvi::PrivateRecords records(plan, std::move(table));
#endif
  static_cast<void>(plan);
  static_cast<void>(table);
}
