#pragma once

#include <cmath>
#include <cstdint>
#include <optional>

#include <dpvi/data/binding.hpp>
#include <dpvi/data/column_source.hpp>
#include <dpvi/data/slot_value.hpp>

namespace dpvi {

// Outcome of reading a cell under the declarations of its column.
enum class CellFate : std::uint8_t {
  as_written,
  clamped,         // a real outside its bounds
  missing,         // replaced if the schema gives a replacement value
  unlisted_level,  // replaced under the same rule
  unparsable,      // not a number
  out_of_range     // integer outside its bounds, fraction in an integer column, or infinite number
                   // without a bound
};

// A number on the scale of the column. If it is not usable, the row must contribute zero.
struct CellValue {
  double number = 0;
  CellFate fate = CellFate::as_written;
  bool usable = true;
};

// The declarations of a column, as they apply to its cells.
class ColumnRule {
 public:
  explicit ColumnRule(const BoundColumn& column)
      : type_(column.type),
        bounds_{column.lower, column.upper},
        replacement_(column.value_if_missing) {}

  CellValue apply(const TypedCell& cell) const {
    if (cell.state == CellState::value) return within_bounds({cell.number});
    return apply_to_unusual(cell.state);
  }

 private:
  struct Bounds {
    double lower, upper;
  };

  // A level code is within its levels.
  CellValue within_bounds(const CellValue& value) const {
    if (type_ == ColumnType::category) return value;
    const bool inside = value.number >= bounds_.lower && value.number <= bounds_.upper;
    if (type_ == ColumnType::real) {
      if (inside) return value;
      return {clamped_to(bounds_, value.number), CellFate::clamped, true};
    }
    if (inside && std::trunc(value.number) == value.number) return value;
    return {value.number, CellFate::out_of_range, false};
  }

  CellValue apply_to_unusual(CellState state) const;

  ColumnType type_;
  Bounds bounds_;
  std::optional<double> replacement_;
};

}  // namespace dpvi
