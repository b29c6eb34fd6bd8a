#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <dpvi/data/record_table.hpp>
#include <dpvi/tape/lanes/record_tape.hpp>

namespace dpvi {

// Converts rows of a table to the columns that a tape reads, so that raw rows need not be stored.
// Quantities computed from a single row are computed in double and then rounded.
class PreparedRecords {
 public:
  // `tape` must outlive this object.
  PreparedRecords(const RecordTape& tape, Precision precision);

  // Same contract as in RecordTable.
  void append(std::span<const double> reals, std::span<const std::int32_t> integers);
  void append_unusable() { table_.append_unusable(); }
  void assign_last_row(std::uint32_t record) { table_.assign_last_row(record); }
  RecordTable gathered() && { return std::move(table_).gathered(); }

 private:
  RecordPreparer preparer_;
  RecordTable table_;
  std::vector<double> reals_;  // current row
  std::vector<std::int32_t> integers_;
};

}  // namespace dpvi
