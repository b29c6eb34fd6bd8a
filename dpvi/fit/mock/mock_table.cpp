#include <dpvi/fit/mock/mock_table.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <dpvi/data/number_parser.hpp>
#include <dpvi/fit/mock/mock_unit_sizes.hpp>

namespace dpvi {
namespace {

// Six digits suffice for a mock number unless rounding would violate a bound. Standardised integers
// arrive as fractions.
std::string number_cell(double number, const BoundColumn& column) {
  const double inside = std::min(std::max(number, column.lower), column.upper);
  if (column.type == ColumnType::integer) return fmt::format("{:.0f}", std::round(inside));
  std::string text = fmt::format("{:.6g}", inside);
  const double shown = parse_number(text).value_or(inside);
  if (!(shown >= column.lower && shown <= column.upper)) text = fmt::format("{}", inside);
  return text;
}

}  // namespace

std::string csv_cell(std::string_view text) {
  const bool plain = !text.empty() && text.find_first_of(",\"\r\n") == std::string_view::npos;
  if (plain) return std::string(text);
  std::string quoted = "\"";
  for (const char byte : text) {
    if (byte == '"') quoted += '"';
    quoted += byte;
  }
  return quoted + '"';
}

struct MockCsv::State {
  // Converts the slots of a record back to the cells of its columns.
  class Cells {
   public:
    explicit Cells(const Binding& binding) : binding_(binding), numbers_(binding.columns.size()) {}

    void take(const MockRecord& record) {
      numbers_.assign(binding_.columns.size(), std::nullopt);
      needed_.assign(binding_.columns.size(), 0);
      const std::size_t table =
          binding_.table_slot ? static_cast<std::size_t>(record.integers[*binding_.table_slot]) : 0;
      for (std::size_t i = 0; i < record.reals.size(); ++i) {
        take(binding_.real_slots[i], record.reals[i], table);
      }
      for (std::size_t i = 0; i < record.integers.size(); ++i) {
        take(binding_.integer_slots[i], record.integers[i], table);
      }
    }

    std::string text(std::size_t index) const {
      const BoundColumn& column = binding_.columns[index];
      if (binding_.table_slot && needed_[index] == 0) return {};
      // No level is marked: it is the first one, which dummy coding leaves out.
      const double number = numbers_[index].value_or(1.0);
      if (column.type == ColumnType::category) {
        return csv_cell(column.levels[static_cast<std::size_t>(number) - 1]);
      }
      return csv_cell(formatted_number(number_cell(number, column), column.cells));
    }

   private:
    void take(const Slot& slot, double held, std::size_t table) {
      if (slot.table != 0 && slot.table != table) return;
      needed_[slot.column] = 1;
      std::optional<double>& number = numbers_[slot.column];
      if (number) return;
      if (slot.level == 0) {
        number = held * slot.divide + slot.subtract;
      } else if (held == 1.0) {
        number = static_cast<double>(slot.level);
      }
    }

    const Binding& binding_;
    std::vector<char> needed_;                    // by column: the row's table has it
    std::vector<std::optional<double>> numbers_;  // by column; for categories the level's code
  };

  const Binding& binding;
  Cells cells;
  std::optional<MockUnitSizes> units;
};

MockCsv::MockCsv(const Binding& binding, const SeededGenerator& generator)
    : state_(std::make_unique<State>(State{binding, State::Cells(binding), std::nullopt})) {
  if (binding.unit) state_->units.emplace(binding.unit->max_rows, generator);
}

MockCsv::~MockCsv() = default;

std::string MockCsv::header() const {
  std::vector<std::string> names;
  if (state_->units) names.push_back(csv_cell(state_->binding.unit->name));
  for (const BoundColumn& column : state_->binding.columns) names.push_back(csv_cell(column.name));
  return fmt::format("{}\n", fmt::join(names, ","));
}

std::string MockCsv::lines(std::span<const MockRecord> rows) {
  auto& [binding, cells, units] = *state_;
  std::string text;
  std::vector<std::string> row;
  for (const MockRecord& record : rows) {
    cells.take(record);
    row.clear();
    if (units) row.push_back(std::to_string(units->next()));
    for (std::size_t i = 0; i < binding.columns.size(); ++i) row.push_back(cells.text(i));
    fmt::format_to(std::back_inserter(text), "{}\n", fmt::join(row, ","));
  }
  return text;
}

std::string mock_csv(const Binding& binding, std::span<const MockRecord> rows,
                     const SeededGenerator& generator) {
  MockCsv csv(binding, generator);
  return csv.header() + csv.lines(rows);
}

}  // namespace dpvi
