#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include <dpvi/data/binding.hpp>
#include <dpvi/data/record_table.hpp>

namespace dpvi {

// Turns the cells of one row into a row of the table; where there are units, says whose it is.
// Guarantee: what cells contain never throws, prints or counts; a row that cannot be used
// contributes zero. One without an id, or beyond what its unit may have, is left out.
class RecordReader {
 public:
  explicit RecordReader(const Binding& binding);
  ~RecordReader();
  RecordReader(const RecordReader&) = delete;
  RecordReader& operator=(const RecordReader&) = delete;

  // `cells` is indexed by BoundColumn::position. Table is RecordTable or takes rows as it does.
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

// All rows of a table, as CsvReader or JsonRows give them; those of a unit are still to be
// gathered. Its structure is checked to the last byte before the rows are handed out; zero rows are
// fine.
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
