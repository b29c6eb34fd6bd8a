#include <dpvi/data/record_reader.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include <dpvi/data/number_text.hpp>

namespace dpvi {
namespace {

struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const {
    return std::hash<std::string_view>()(text);
  }
};

using LevelCodes = std::unordered_map<std::string, double, TextHash, std::equal_to<>>;

LevelCodes codes_of(const std::vector<std::string>& levels) {
  LevelCodes codes;
  for (const std::string& level : levels) {
    codes.emplace(level, static_cast<double>(codes.size() + 1));
  }
  return codes;
}

bool is_whole(double value) { return std::trunc(value) == value; }

// Bounds that exclude each other are the program's own mistake; any number will do then.
double clamped(double value, double lower, double upper) {
  return std::min(std::max(value, lower), upper);
}

// One column's cells as numbers on the column's own scale; nothing if the row must be dropped.
class CellReader {
 public:
  CellReader(const BoundColumn& column, std::span<const std::string> missing)
      : column_(column), codes_(codes_of(column.levels)), missing_(missing) {}

  std::optional<double> read(std::string_view cell) const {
    if (column_.type == ColumnType::category) {
      const auto code = codes_.find(cell);
      return code == codes_.end() ? column_.value_if_missing : code->second;
    }
    std::optional<double> value = parse_number(cell);
    if ((value && std::isnan(*value)) || means_missing(without_blanks(cell))) {
      value = column_.value_if_missing;
    }
    if (!value) return std::nullopt;
    if (column_.type == ColumnType::real) return clamped(*value, column_.lower, column_.upper);
    const bool allowed = *value >= column_.lower && *value <= column_.upper && is_whole(*value);
    return allowed ? value : std::nullopt;
  }

 private:
  bool means_missing(std::string_view text) const {
    return std::find(missing_.begin(), missing_.end(), text) != missing_.end();
  }

  const BoundColumn& column_;
  LevelCodes codes_;
  std::span<const std::string> missing_;
};

double slot_value(const Slot& slot, double column_value) {
  if (slot.level > 0) return column_value == static_cast<double>(slot.level) ? 1.0 : 0.0;
  return (column_value - slot.subtract) / slot.divide;
}

}  // namespace

struct RecordReader::Parts {
  Binding binding;
  std::vector<CellReader> columns;
  std::vector<double> values;  // of one row, by column
  std::vector<double> reals;
  std::vector<std::int32_t> integers;

  explicit Parts(const Binding& wanted)
      : binding(wanted),
        values(wanted.columns.size()),
        reals(wanted.real_slots.size()),
        integers(wanted.integer_slots.size()) {
    for (const BoundColumn& column : binding.columns) columns.emplace_back(column, binding.missing);
  }

  // False if the row must contribute zero.
  bool read(std::span<const std::string_view> cells) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const std::optional<double> value = columns[i].read(cells[binding.columns[i].position]);
      if (!value) return false;
      values[i] = *value;
    }
    for (std::size_t i = 0; i < reals.size(); ++i) {
      const Slot& slot = binding.real_slots[i];
      reals[i] = clamped(slot_value(slot, values[slot.column]), slot.lower, slot.upper);
      if (!std::isfinite(reals[i])) return false;
    }
    for (std::size_t i = 0; i < integers.size(); ++i) {
      const Slot& slot = binding.integer_slots[i];
      const double value = slot_value(slot, values[slot.column]);
      constexpr double kLargest = std::numeric_limits<std::int32_t>::max();
      if (!(value >= slot.lower && value <= slot.upper && std::abs(value) <= kLargest))
        return false;
      integers[i] = static_cast<std::int32_t>(value);
    }
    return true;
  }
};

RecordReader::RecordReader(const Binding& binding) : parts_(std::make_unique<Parts>(binding)) {}

RecordReader::~RecordReader() = default;

void RecordReader::append_row(std::span<const std::string_view> cells, RecordTable& table) {
  if (parts_->read(cells)) {
    table.append(parts_->reals, parts_->integers);
  } else {
    table.append_unusable();
  }
}

RecordTable read_records(CsvReader& csv, const Binding& binding) {
  RecordTable table(binding.real_slots.size(), binding.integer_slots.size());
  RecordReader reader(binding);
  while (csv.next_row()) reader.append_row(csv.cells(), table);
  return table;
}

}  // namespace dpvi
