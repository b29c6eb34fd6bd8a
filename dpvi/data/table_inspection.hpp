#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <dpvi/data/binding.hpp>
#include <dpvi/data/cell_reader.hpp>
#include <dpvi/data/unit_rows.hpp>

namespace dpvi {

// What the cells of one column are like. Not protected: for the curator alone.
struct ColumnInspection {
  std::string name;
  ColumnType type = ColumnType::real;
  std::uint64_t usable = 0;    // as written or clamped
  std::uint64_t clamped = 0;   // by the column's bounds or the program's
  std::uint64_t replaced = 0;  // missing or unlisted, and the schema says by what
  std::uint64_t missing = 0;
  std::uint64_t unlisted = 0;
  std::uint64_t unparsable = 0;
  std::uint64_t out_of_range = 0;
  // Of finite numbers as they are written, before clamping. NaN where there are none (sd: fewer
  // than two), and for categories.
  double minimum = 0, mean = 0, sd = 0, maximum = 0;
  std::vector<std::uint64_t> level_counts;                            // of a category, by code
  std::map<std::string, std::uint64_t, std::less<>> unlisted_levels;  // the first few met
};

// How the rows of a table fall to its units. Not protected: for the curator alone.
struct UnitInspection {
  std::string column;
  std::uint32_t max_rows = 1;
  std::uint64_t units = 0;
  std::uint64_t rows_without_id = 0;    // left out
  std::uint64_t rows_beyond_limit = 0;  // likewise: their units have max_rows before them
};

// Not protected: for the curator alone.
struct TableInspection {
  std::uint64_t rows = 0;
  std::uint64_t rows_of_zero = 0;  // that contribute nothing to a fit, those left out included
  std::vector<ColumnInspection> columns;  // of the rows that are not left out
  std::optional<UnitInspection> unit = std::nullopt;

  // The first column without a usable cell; null if there is none.
  const ColumnInspection* useless_column() const;
};

// Looks at rows as a fit would read them, and counts.
class TableInspector {
 public:
  explicit TableInspector(Binding binding);
  ~TableInspector();
  TableInspector(const TableInspector&) = delete;
  TableInspector& operator=(const TableInspector&) = delete;

  // `cells` is indexed by BoundColumn::position.
  void add_row(std::span<const std::string_view> cells);
  TableInspection result() const;

 private:
  class Column;

  bool is_left_out(std::span<const std::string_view> cells);
  void apply_slots();

  Binding binding_;
  std::vector<Column> columns_;
  std::vector<CellValue> values_;  // of the row at hand, by column
  std::uint64_t rows_ = 0;
  std::uint64_t rows_of_zero_ = 0;
  std::optional<UnitRows> units_;
  std::uint64_t rows_without_id_ = 0;
  std::uint64_t rows_beyond_limit_ = 0;
};

// The columns that a schema speaks of, where there is no program to ask; all of the header's if it
// speaks of none. The unit's is not among them. What is not declared is taken to be real. Refuses
// (DP321) one that the header lacks.
Binding columns_of_schema(const BindingRequest& request);

}  // namespace dpvi
