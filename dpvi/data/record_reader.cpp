#include <dpvi/data/record_reader.hpp>

#include <optional>
#include <vector>

#include <dpvi/data/cell_reader.hpp>
#include <dpvi/data/unit_rows.hpp>

namespace dpvi {

struct RecordReader::Parts {
  Binding binding;
  std::optional<UnitRows> units;
  std::vector<CellReader> columns;
  std::vector<double> values;  // current row, by column
  std::vector<double> reals;
  std::vector<std::int32_t> integers;

  explicit Parts(const Binding& wanted)
      : binding(wanted),
        values(wanted.columns.size()),
        reals(wanted.real_slots.size()),
        integers(wanted.integer_slots.size()) {
    if (binding.unit) units.emplace(*binding.unit, binding.missing);
    for (const BoundColumn& column : binding.columns) columns.emplace_back(column, binding.missing);
  }

  // Returns false if the row must contribute zero.
  bool read(std::span<const std::string_view> cells) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const CellValue value = columns[i].read(cells[binding.columns[i].position]);
      if (!value.usable) return false;
      values[i] = value.number;
    }
    for (std::size_t i = 0; i < reals.size(); ++i) {
      const Slot& slot = binding.real_slots[i];
      const std::optional<double> real = real_in_slot(slot, values[slot.column]);
      if (!real) return false;
      reals[i] = *real;
    }
    for (std::size_t i = 0; i < integers.size(); ++i) {
      const Slot& slot = binding.integer_slots[i];
      const std::optional<std::int32_t> integer = integer_in_slot(slot, values[slot.column]);
      if (!integer) return false;
      integers[i] = *integer;
    }
    return true;
  }
};

RecordReader::RecordReader(const Binding& binding) : parts_(std::make_unique<Parts>(binding)) {}

RecordReader::~RecordReader() = default;

RecordReader::Row RecordReader::read(std::span<const std::string_view> cells) {
  Row row;
  if (parts_->units) {
    const UnitRow unit_row = parts_->units->take(cells);
    row.left_out = unit_row.fate != RowStatus::stays;
    if (row.left_out) return row;
    row.unit = unit_row.unit;
  }
  row.usable = parts_->read(cells);
  row.reals = parts_->reals;
  row.integers = parts_->integers;
  return row;
}

}  // namespace dpvi
