#pragma once

#include <cstddef>
#include <cstdint>

#include <dpvi/tape/lanes/record_tape.hpp>

namespace dpvi {

// An integer of the record that is an outcome with few possible values, and the columns of a
// prepared record that depend on it. If a table has an outcome, a stored row also holds these
// columns as they would be for every other value of the outcome, in increasing order of the values.
struct OutcomeColumns {
  std::int32_t integer = 0;  // its place among the integers of a record
  std::int32_t lowest = 0;
  std::int32_t highest = 1;
  PreparedColumns columns;

  // The number of values other than the record's own.
  std::size_t others() const { return static_cast<std::size_t>(highest - lowest); }
  // The numbers of slots of a stored row.
  std::size_t real_slots(const RecordTape& tape) const;
  std::size_t int_slots(const RecordTape& tape) const;
};

OutcomeColumns outcome_columns(const RecordTape& tape, std::int32_t integer, std::int32_t lowest,
                               std::int32_t highest);

}  // namespace dpvi
