#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace dpvi {

// One cell of a table in memory: missing, a number, a whole number or a text (a level or an id).
// NaN is missing too.
using TableCell = std::variant<std::monostate, double, std::int64_t, std::string>;

// Writes the cells of the next row, one for each column. Returns false after the last row.
using NextRow = std::function<bool(std::span<TableCell> row)>;

// A table that the caller holds in memory, given row by row. No row is requested before the records
// are opened with a finished plan. Column names are public.
struct MemoryTable {
  std::vector<std::string> columns;
  NextRow next_row;
};

// The rows of such a table, with the interface of a file reader.
class MemoryRows {
 public:
  // `missing` is a text that means missing under the schema.
  MemoryRows(MemoryTable table, std::string missing);

  bool next_row();
  std::span<const std::string_view> cells() const { return cells_; }

 private:
  MemoryTable table_;
  std::string missing_;
  std::vector<TableCell> row_;
  std::vector<std::string> texts_;
  std::vector<std::string_view> cells_;
};

}  // namespace dpvi
