// refused: could not convert .*RecordTable
#include <dpvi/fit/train/private_fit.hpp>

void outsider(const dpvi::RecordTable& table, dpvi::PrivateRecords records) {
  const auto go_on = [](std::int64_t, std::int64_t) { return true; };
#ifndef CONTROL
  dpvi::fit_privately(table, {}, go_on);
#else
  dpvi::fit_privately(std::move(records), {}, go_on);
#endif
  static_cast<void>(table);
}
