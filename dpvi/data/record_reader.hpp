#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include <dpvi/data/binding.hpp>
#include <dpvi/data/record_table.hpp>

namespace dpvi {

// Converts the cells of one row to a table row. If units are declared, also assigns the row to its
// unit.
//
// Guarantee: cell contents never cause an exception, output or a count; an unusable row contributes
// zero. A row without an id, or beyond the row limit of its unit, is left out.
class RecordReader {
 public:
  explicit RecordReader(const Binding& binding);
  ~RecordReader();
  RecordReader(const RecordReader&) = delete;
  RecordReader& operator=(const RecordReader&) = delete;

  // `cells` is indexed by BoundColumn::position. Table is RecordTable or has the same functions for
  // appending rows.
  template <typename Table>
  void append_row(std::span<const std::string_view> cells, Table& table) {
    const Row row = read(cells);
    if (row.left_out) return;
    if (row.usable) {
      table.append(row.reals, row.integers);
    } else {
      table.append_unusable();
    }
    if (row.unit) table.assign_last_row(*row.unit);
  }

 private:
  struct Row {
    bool left_out = false;
    bool usable = false;
    std::optional<std::uint32_t> unit = std::nullopt;
    std::span<const double> reals = {};  // valid until the next row is read
    std::span<const std::int32_t> integers = {};
  };
  Row read(std::span<const std::string_view> cells);

  struct Parts;
  std::unique_ptr<Parts> parts_;
};

// Reads all rows from a CsvReader or JsonRows; rows of one unit are not gathered yet. Returns only
// after the structure of the whole file has been checked. Zero rows are valid.
template <typename Rows, typename Table>
void read_records(Rows& rows, const Binding& binding, Table& table) {
  RecordReader reader(binding);
  while (rows.next_row()) reader.append_row(rows.cells(), table);
}

template <typename Rows>
RecordTable read_records(Rows& rows, const Binding& binding) {
  RecordTable table(binding.real_slots.size(), binding.integer_slots.size());
  read_records(rows, binding, table);
  return table;
}

}  // namespace dpvi
