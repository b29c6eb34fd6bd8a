#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <dpvi/data/binding.hpp>
#include <dpvi/data/column_rule.hpp>
#include <dpvi/data/column_source.hpp>
#include <dpvi/data/unit_rows.hpp>

namespace dpvi {

// Statistics of the cells of one column. Not protected: for the curator only.
struct ColumnInspection {
  std::string name;
  ColumnType type = ColumnType::real;
  std::uint64_t usable = 0;    // as written or clamped
  std::uint64_t clamped = 0;   // by the column's bounds or the program's
  std::uint64_t replaced = 0;  // missing or unlisted, with a value in the schema
  std::uint64_t missing = 0;
  std::uint64_t unlisted = 0;
  std::uint64_t unparsable = 0;
  std::uint64_t out_of_range = 0;
  // Statistics of finite numbers as written, before clamping. NaN for categories and if there are
  // none (sd: fewer than two).
  double minimum = 0, mean = 0, sd = 0, maximum = 0;
  std::vector<std::uint64_t> level_counts;                            // by level code
  std::map<std::string, std::uint64_t, std::less<>> unlisted_levels;  // the first few encountered
};

// Distribution of rows over units. Not protected: for the curator only.
struct UnitInspection {
  std::string column;
  std::uint32_t max_rows = 1;
  std::uint64_t units = 0;
  std::uint64_t rows_without_id = 0;    // left out
  std::uint64_t rows_beyond_limit = 0;  // left out: the unit has max_rows earlier rows
};

// Not protected: for the curator only.
struct TableInspection {
  std::uint64_t rows = 0;
  std::uint64_t rows_of_zero = 0;         // contribute nothing to a fit; includes rows left out
  std::vector<ColumnInspection> columns;  // over the rows that are not left out
  std::optional<UnitInspection> unit = std::nullopt;

  // Returns the first column without a usable cell, or null if there is none.
  const ColumnInspection* first_unusable_column() const;
};

// Reads rows as a fit would, and counts them. Unlisted levels are shown if the blocks keep their
// texts.
class TableInspector {
 public:
  explicit TableInspector(Binding binding);
  ~TableInspector();
  TableInspector(const TableInspector&) = delete;
  TableInspector& operator=(const TableInspector&) = delete;

  // The columns of the block are those of the binding.
  void add(const TypedBlock& block);
  TableInspection result() const;

 private:
  class Column;

  void add_row(const TypedBlock& block, std::size_t row);
  bool is_left_out(std::uint32_t unit);
  std::vector<char> find_needed();
  void apply_slots();

  Binding binding_;
  std::vector<Column> columns_;
  std::vector<CellValue> values_;  // current row, by column
  std::size_t table_ = 0;          // of the row, see DataVariable::table
  std::uint64_t rows_ = 0;
  std::uint64_t rows_of_zero_ = 0;
  std::optional<UnitRows> units_;
  std::uint64_t rows_without_id_ = 0;
  std::uint64_t rows_beyond_limit_ = 0;
};

// Binds the columns that a schema declares, for use without a program; all columns of the header if
// it declares none. The unit column is excluded. Columns of undeclared type are real. Refuses
// (DP321) a column that the header lacks.
Binding columns_of_schema(const BindingRequest& request);

}  // namespace dpvi
