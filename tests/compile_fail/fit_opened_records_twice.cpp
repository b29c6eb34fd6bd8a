// refused: use of deleted function .*PrivateRecords\(const
// Guarantee: opening private records takes a finished plan, and opened records serve one fit, under
// that plan.
#include <dpvi/fit/train/private_fit.hpp>

void outsider(dpvi::PrivateRecords records) {
  const auto go_on = [](std::int64_t, std::int64_t) { return true; };
#ifndef CONTROL
  dpvi::fit_privately(records, {}, go_on);
#endif
  dpvi::fit_privately(std::move(records), {}, go_on);
}
