#include <dpvi/data/record_reader.hpp>

#include <optional>
#include <vector>

#include <dpvi/data/column_rule.hpp>
#include <dpvi/data/slot_value.hpp>
#include <dpvi/data/unit_rows.hpp>

namespace dpvi {

// The rows of the current block. A row's slots are adjacent.
struct RecordReader::Parts {
  std::size_t first_column;
  std::vector<ColumnRule> rules;
  std::vector<Slot> real_slots;
  std::vector<Slot> integer_slots;
  std::optional<UnitRows> units;
  std::optional<Slot> table_slot;  // nullopt: there is one table

  std::vector<std::vector<double>> values;  // by column and row
  std::vector<double> reals;
  std::vector<std::int32_t> integers;
  std::vector<char> usable;
  std::vector<std::vector<char>> usable_cells;  // by column and row, if there are several tables
  std::vector<std::size_t> tables;              // of each row; 0 if it is none's
  std::vector<char> left_out;
  std::vector<std::uint32_t> unit_of_row;

  Parts(const Binding& binding, std::size_t first)
      : first_column(first),
        real_slots(binding.real_slots),
        integer_slots(binding.integer_slots),
        values(binding.columns.size()),
        usable_cells(binding.columns.size()) {
    if (binding.table_slot) table_slot = binding.integer_slots[*binding.table_slot];
    for (const BoundColumn& column : binding.columns) rules.emplace_back(column);
    if (binding.unit) units.emplace(*binding.unit);
  }

  // With several tables, a cell matters if the table of its row has the column.
  void apply_rule(std::size_t index, const TypedColumn& column) {
    std::vector<double>& numbers = values[index];
    numbers.resize(usable.size());
    if (table_slot) usable_cells[index].assign(usable.size(), 1);
    std::vector<char>& as_read = table_slot ? usable_cells[index] : usable;
    for (std::size_t row = 0; row < usable.size(); ++row) {
      const CellValue value = rules[index].apply(column.cell(row));
      numbers[row] = value.number;
      as_read[row] &= static_cast<char>(value.usable);
    }
  }

  void find_tables() {
    tables.resize(usable.size());
    const std::vector<double>& numbers = values[table_slot->column];
    for (std::size_t row = 0; row < usable.size(); ++row) {
      const bool known = usable_cells[table_slot->column][row] != 0;
      tables[row] = known ? static_cast<std::size_t>(numbers[row]) : 0;
      usable[row] &= static_cast<char>(known);
    }
  }

  bool is_of_other_table(const Slot& slot, std::size_t row) const {
    return table_slot && slot.table != 0 && slot.table != tables[row];
  }

  bool has_usable_cell(const Slot& slot, std::size_t row) const {
    return !table_slot || usable_cells[slot.column][row] != 0;
  }

  void fill_reals() {
    const std::size_t width = real_slots.size();
    reals.resize(usable.size() * width);
    for (std::size_t i = 0; i < width; ++i) {
      const Slot slot = real_slots[i];
      const std::vector<double>& numbers = values[slot.column];
      for (std::size_t row = 0; row < usable.size(); ++row) {
        if (is_of_other_table(slot, row)) {
          reals[row * width + i] = stand_in_for(slot);
          continue;
        }
        const std::optional<double> real = real_in_slot(slot, numbers[row]);
        usable[row] &= static_cast<char>(has_usable_cell(slot, row));
        reals[row * width + i] = real.value_or(0);
        usable[row] &= static_cast<char>(real.has_value());
      }
    }
  }

  void fill_integers() {
    const std::size_t width = integer_slots.size();
    integers.resize(usable.size() * width);
    for (std::size_t i = 0; i < width; ++i) {
      const Slot slot = integer_slots[i];
      const std::vector<double>& numbers = values[slot.column];
      for (std::size_t row = 0; row < usable.size(); ++row) {
        if (is_of_other_table(slot, row)) {
          integers[row * width + i] = integer_stand_in(slot);
          continue;
        }
        const std::optional<std::int32_t> integer = integer_in_slot(slot, numbers[row]);
        usable[row] &= static_cast<char>(has_usable_cell(slot, row));
        integers[row * width + i] = integer.value_or(0);
        usable[row] &= static_cast<char>(integer.has_value());
      }
    }
  }

  void assign_units(const TypedBlock& block) {
    unit_of_row.assign(block.units.begin(),
                       block.units.begin() + static_cast<std::ptrdiff_t>(block.rows));
    left_out.resize(block.rows);
    for (std::size_t row = 0; row < block.rows; ++row) {
      left_out[row] = units->take(unit_of_row[row]) != RowStatus::stays;
    }
  }
};

RecordReader::RecordReader(const Binding& binding, std::size_t first_column)
    : parts_(std::make_unique<Parts>(binding, first_column)) {}

RecordReader::~RecordReader() = default;

void RecordReader::convert(const TypedBlock& block) {
  Parts& parts = *parts_;
  if (parts.units) parts.assign_units(block);
  parts.usable.assign(block.rows, 1);
  for (std::size_t i = 0; i < parts.rules.size(); ++i) {
    parts.apply_rule(i, block.columns[parts.first_column + i]);
  }
  if (parts.table_slot) parts.find_tables();
  parts.fill_reals();
  parts.fill_integers();
}

RecordReader::Row RecordReader::converted_row(std::size_t index) const {
  const Parts& parts = *parts_;
  const std::size_t reals = parts.real_slots.size();
  const std::size_t integers = parts.integer_slots.size();
  Row row;
  row.usable = parts.usable[index] != 0;
  row.reals = std::span(parts.reals).subspan(index * reals, reals);
  row.integers = std::span(parts.integers).subspan(index * integers, integers);
  if (!parts.units) return row;
  row.left_out = parts.left_out[index] != 0;
  row.unit = parts.unit_of_row[index];
  return row;
}

}  // namespace dpvi
