#pragma once

#include <cstdint>
#include <vector>

#include <dpvi/data/binding.hpp>

namespace dpvi {

enum class RowStatus : std::uint8_t {
  stays,
  without_id,   // the cell of its unit is empty or means missing
  beyond_limit  // its unit has reached its row limit
};

// Applies the row limit of units, row by row in table order. The first rows of a unit stay,
// regardless of their other cells.
class UnitRows {
 public:
  explicit UnitRows(const UnitColumn& column) : max_rows_(column.max_rows) {}

  // `unit` is as in TypedBlock::units.
  RowStatus take(std::uint32_t unit);

  std::uint64_t unit_count() const { return rows_of_unit_.size(); }

 private:
  std::uint32_t max_rows_;
  std::vector<std::uint32_t> rows_of_unit_;
};

}  // namespace dpvi
