#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <dpvi/data/record_table.hpp>
#include <dpvi/fit/prepare/unit_width.hpp>
#include <dpvi/gradient/outcome_bins.hpp>
#include <dpvi/gradient/simulated_outcomes.hpp>
#include <dpvi/tape/lanes/outcome_columns.hpp>
#include <dpvi/tape/lanes/record_tape.hpp>

namespace dpvi {

// Converts rows of a table to the columns that a tape reads, so that raw rows need not be stored.
// Quantities computed from a single row are computed in double and then rounded.
class PreparedRecords {
 public:
  // `tape` must outlive this object. With an outcome, a stored row also holds the columns for its
  // other values; a row whose own value is not among them is unusable.
  PreparedRecords(const RecordTape& tape, Precision precision,
                  std::optional<OutcomeColumns> outcome = std::nullopt);
  // For simulated outcomes a stored row also holds the row as read.
  PreparedRecords(const RecordTape& tape, Precision precision, const RecordWidth& as_read);
  // For a release of counts a stored row also holds its bins.
  PreparedRecords(const RecordTape& tape, Precision precision,
                  std::shared_ptr<const OutcomeBins> bins);
  // For programs that use the rows of a unit together: rows are kept as read until gathered() puts
  // those of a unit side by side. A row that is assigned to no record is a unit of its own.
  PreparedRecords(const RecordTape& tape, Precision precision, const UnitWidth& unit);

  // Same contract as in RecordTable.
  void append(std::span<const double> reals, std::span<const std::int32_t> integers);
  void append_unusable() { rows().append_unusable(); }
  void assign_last_row(std::uint32_t record) { rows().assign_last_row(record); }
  RecordTable gathered() &&;

  // For rows that are used a few at a time: the rows appended since clear(). Without units.
  const RecordTable& table() const { return table_; }
  void clear() { table_.clear(); }

 private:
  // The table to which rows are appended.
  RecordTable& rows() { return rows_of_units_ ? *rows_of_units_ : table_; }
  void set_as_read(std::span<const double> reals, std::span<const std::int32_t> integers);
  void set_other_outcomes(std::span<const double> reals, std::span<const std::int32_t> integers);

  RecordPreparer preparer_;
  std::optional<OutcomeColumns> outcome_;
  std::optional<RecordWidth> as_read_;
  std::shared_ptr<const OutcomeBins> bins_;
  std::optional<UnitWidth> unit_;
  std::optional<RecordTable> rows_of_units_;  // as read
  RecordTable table_;
  std::vector<double> reals_;  // current row
  std::vector<std::int32_t> integers_;
  // The current row with another outcome: as read, and prepared.
  std::vector<std::int32_t> changed_;
  std::vector<double> other_reals_;
  std::vector<std::int32_t> other_integers_;
};

}  // namespace dpvi
