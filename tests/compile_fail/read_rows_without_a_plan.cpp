// refused: read_rows.* is private within this context
#include <dpvi/fit/train/private_fit.hpp>

void outsider(dpvi::UnopenedRecords unopened, dpvi::PreparedRecords& records) {
#ifndef CONTROL
  std::move(unopened).read_rows(records, dpvi::InspectFirst::no);
#endif
  static_cast<void>(unopened);
  static_cast<void>(records);
}
