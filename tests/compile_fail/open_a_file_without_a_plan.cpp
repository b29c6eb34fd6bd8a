// refused: read_rows.* is private within this context
#include <dpvi/fit/train/private_fit.hpp>

void outsider(dpvi::RecordFile file, dpvi::PreparedRecords& records) {
#ifndef CONTROL
  std::move(file).read_rows(records, dpvi::InspectFirst::no);
#endif
  static_cast<void>(file);
  static_cast<void>(records);
}
