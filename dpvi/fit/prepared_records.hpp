#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <dpvi/data/record_table.hpp>
#include <dpvi/tape/record_tape.hpp>

namespace dpvi {

// Takes rows as a table gives them and keeps them in the columns that a tape reads, so that raw
// rows need not be held. What is computed from a row alone is computed in double, then rounded.
class PreparedRecords {
 public:
  // The tape must outlive this.
  PreparedRecords(const RecordTape& tape, Precision precision);

  // As those of RecordTable.
  void append(std::span<const double> reals, std::span<const std::int32_t> integers);
  void append_unusable() { table_.append_unusable(); }
  void assign_last_row(std::uint32_t record) { table_.assign_last_row(record); }
  RecordTable gathered() && { return std::move(table_).gathered(); }

 private:
  RecordPreparer preparer_;
  RecordTable table_;
  std::vector<double> reals_;  // of the row at hand
  std::vector<std::int32_t> integers_;
};

}  // namespace dpvi
