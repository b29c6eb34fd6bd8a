// refused: use of deleted function .*PrivateRecords\(const
#include <dpvi/fit/train/private_fit.hpp>

void outsider(dpvi::PrivateRecords records) {
  const auto go_on = [](std::int64_t, std::int64_t) { return true; };
#ifndef CONTROL
  dpvi::fit_privately(records, {}, go_on);
#endif
  dpvi::fit_privately(std::move(records), {}, go_on);
}
