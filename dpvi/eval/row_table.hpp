#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <dpvi/data/binding.hpp>
#include <dpvi/data/record_table.hpp>
#include <dpvi/stan/run/stan_model.hpp>

namespace dpvi {

// Rows that the caller may look at, in the columns that a program reads. The real columns of a row
// are contiguous, and so are its integer columns.
struct RowTable {
  std::size_t real_columns = 0;
  std::size_t integer_columns = 0;
  std::vector<double> reals;
  std::vector<std::int32_t> integers;
  std::vector<bool> usable;    // rows without an unusable cell
  std::vector<bool> observed;  // rows whose outcome is known; empty if there are none

  std::size_t count() const { return usable.size(); }
  std::span<double> reals_of(std::size_t row) {
    return std::span(reals).subspan(row * real_columns, real_columns);
  }
  std::span<const double> reals_of(std::size_t row) const {
    return std::span(reals).subspan(row * real_columns, real_columns);
  }
  std::span<std::int32_t> integers_of(std::size_t row) {
    return std::span(integers).subspan(row * integer_columns, integer_columns);
  }
  std::span<const std::int32_t> integers_of(std::size_t row) const {
    return std::span(integers).subspan(row * integer_columns, integer_columns);
  }

  // Rows [first, first + count).
  RowTable part(std::size_t first, std::size_t count) const;
};

// Rows with all the program's columns, filled with zeros, all of them usable.
RowTable empty_rows(std::span<const RecordVariable> program, std::size_t count);

// Fills in the variables of `binding`. Returns which rows are usable.
std::vector<bool> fill_rows(RowTable& rows, std::span<const RecordVariable> program,
                            const Binding& binding, const RecordTable& records);

}  // namespace dpvi
