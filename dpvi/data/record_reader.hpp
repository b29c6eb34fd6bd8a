#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include <dpvi/data/binding.hpp>
#include <dpvi/data/column_source.hpp>
#include <dpvi/data/record_table.hpp>

namespace dpvi {

// Converts typed rows to table rows: replacement values, bounds, levels, standardising. If units
// are declared, also assigns the rows to their units.
//
// Guarantee: cell contents never cause an exception, output or a count; an unusable row contributes
// zero. A row without an id, or beyond the row limit of its unit, is left out.
class RecordReader {
 public:
  // Reads the columns of a block from `first_column` on, in the order of the binding.
  explicit RecordReader(const Binding& binding, std::size_t first_column = 0);
  ~RecordReader();
  RecordReader(const RecordReader&) = delete;
  RecordReader& operator=(const RecordReader&) = delete;

  // Table is RecordTable or has the same functions for appending rows.
  template <typename Table>
  void append(const TypedBlock& block, Table& table) {
    convert(block);
    for (std::size_t index = 0; index < block.rows; ++index) {
      const Row row = converted_row(index);
      if (row.left_out) continue;
      if (row.usable) {
        table.append(row.reals, row.integers);
      } else {
        table.append_unusable();
      }
      if (row.unit) table.assign_last_row(*row.unit);
    }
  }

 private:
  struct Row {
    bool left_out = false;
    bool usable = false;
    std::optional<std::uint32_t> unit = std::nullopt;
    std::span<const double> reals = {};  // valid until the next block is converted
    std::span<const std::int32_t> integers = {};
  };
  void convert(const TypedBlock& block);
  Row converted_row(std::size_t index) const;

  struct Parts;
  std::unique_ptr<Parts> parts_;
};

// Reads all rows of the source; rows of one unit are not gathered yet. Returns only after the
// structure of the whole source has been checked. Zero rows are valid.
template <typename Table>
void read_records(ColumnSource& source, const Binding& binding, Table& table) {
  RecordReader reader(binding);
  while (const TypedBlock* block = source.next_block()) reader.append(*block, table);
}

inline RecordTable read_records(ColumnSource& source, const Binding& binding) {
  RecordTable table(binding.real_slots.size(), binding.integer_slots.size());
  read_records(source, binding, table);
  return table;
}

}  // namespace dpvi
