// refused: could not convert .*UnprotectedRecords
#include <dpvi/fit/train/private_fit.hpp>

void outsider(dpvi::UnprotectedRecords open, dpvi::PrivateRecords records) {
  const auto go_on = [](std::int64_t, std::int64_t) { return true; };
#ifndef CONTROL
  dpvi::fit_privately(std::move(open), {}, go_on);
#else
  dpvi::fit_privately(std::move(records), {}, go_on);
#endif
  static_cast<void>(open);
}
