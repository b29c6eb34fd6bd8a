#include <dpvi/data/table_inspection.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <dpvi/data/schema_checks.hpp>
#include <dpvi/data/slot_value.hpp>

namespace dpvi {
namespace {

constexpr std::size_t kUnlistedShown = 20;
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

// Mean and sum of squared deviations by Welford's algorithm.
struct Moments {
  double count = 0, mean = 0, squares = 0;
  double minimum = std::numeric_limits<double>::infinity();
  double maximum = -std::numeric_limits<double>::infinity();

  void add(double number) {
    count += 1;
    const double off = number - mean;
    mean += off / count;
    squares += off * (number - mean);
    minimum = std::min(minimum, number);
    maximum = std::max(maximum, number);
  }
};

}  // namespace

class TableInspector::Column {
 public:
  explicit Column(const BoundColumn& column)
      : column_(column), rule_(column), level_counts_(column.levels.size()) {}

  CellValue read(const TypedColumn& column, std::size_t row) {
    const TypedCell cell = column.cell(row);
    if (cell.state == CellState::value) note_value(cell.number);
    const auto unlisted = column.unlisted_texts.find(row);
    if (unlisted != column.unlisted_texts.end()) note_unlisted(unlisted->second);
    return rule_.apply(cell);
  }

  // Call after the program's bounds have been applied.
  void count(const CellValue& value) {
    const bool as_told = value.fate == CellFate::as_written || value.fate == CellFate::clamped;
    if (value.usable) ++(as_told ? found_.usable : found_.replaced);
    switch (value.fate) {
      case CellFate::as_written:
        return;
      case CellFate::clamped:
        ++found_.clamped;
        return;
      case CellFate::missing:
        ++found_.missing;
        return;
      case CellFate::unlisted_level:
        ++found_.unlisted;
        return;
      case CellFate::unparsable:
        ++found_.unparsable;
        return;
      case CellFate::out_of_range:
        ++found_.out_of_range;
        return;
    }
  }

  ColumnInspection result() const {
    ColumnInspection made = found_;
    made.name = column_.name;
    made.type = column_.type;
    made.level_counts = level_counts_;
    const bool any = moments_.count > 0;
    made.minimum = any ? moments_.minimum : kNone;
    made.maximum = any ? moments_.maximum : kNone;
    made.mean = any ? moments_.mean : kNone;
    made.sd = moments_.count > 1 ? std::sqrt(moments_.squares / (moments_.count - 1)) : kNone;
    return made;
  }

 private:
  void note_value(double number) {
    if (column_.type == ColumnType::category) {
      ++level_counts_[static_cast<std::size_t>(number) - 1];
    } else if (std::isfinite(number)) {
      moments_.add(number);
    }
  }

  void note_unlisted(const std::string& text) {
    auto& levels = found_.unlisted_levels;
    const auto known = levels.find(text);
    if (known != levels.end()) {
      ++known->second;
    } else if (levels.size() < kUnlistedShown) {
      levels.emplace(text, 1);
    }
  }

  const BoundColumn& column_;
  ColumnRule rule_;
  std::vector<std::uint64_t> level_counts_;
  Moments moments_;
  ColumnInspection found_{};
};

TableInspector::TableInspector(Binding binding)
    : binding_(std::move(binding)), values_(binding_.columns.size()) {
  columns_.reserve(binding_.columns.size());
  for (const BoundColumn& column : binding_.columns) columns_.emplace_back(column);
  if (binding_.unit) units_.emplace(*binding_.unit);
}

TableInspector::~TableInspector() = default;

bool TableInspector::is_left_out(std::uint32_t unit) {
  const RowStatus status = units_->take(unit);
  if (status == RowStatus::without_id) ++rows_without_id_;
  if (status == RowStatus::beyond_limit) ++rows_beyond_limit_;
  return status != RowStatus::stays;
}

void TableInspector::add(const TypedBlock& block) {
  for (std::size_t row = 0; row < block.rows; ++row) add_row(block, row);
}

void TableInspector::add_row(const TypedBlock& block, std::size_t row) {
  ++rows_;
  if (units_ && is_left_out(block.units[row])) {
    ++rows_of_zero_;
    return;
  }
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    values_[i] = columns_[i].read(block.columns[i], row);
  }
  const std::vector<char> needed = find_needed();
  apply_slots();
  bool usable = true;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (needed[i] == 0) continue;
    columns_[i].count(values_[i]);
    usable = usable && values_[i].usable;
  }
  if (!usable) ++rows_of_zero_;
}

// The columns that the row's table has: all of them, if there is one table.
std::vector<char> TableInspector::find_needed() {
  std::vector<char> needed(columns_.size(), binding_.table_slot ? 0 : 1);
  if (!binding_.table_slot) return needed;
  const CellValue& number = values_[binding_.integer_slots[*binding_.table_slot].column];
  table_ = number.usable ? static_cast<std::size_t>(number.number) : 0;
  for (const auto* slots : {&binding_.real_slots, &binding_.integer_slots}) {
    for (const Slot& slot : *slots) {
      if (slot.table == 0 || slot.table == table_) needed[slot.column] = 1;
    }
  }
  return needed;
}

// Applies the program's bounds to the columns that its variables are made of.
void TableInspector::apply_slots() {
  const auto refuse = [](CellValue& value) {
    value.usable = false;
    value.fate = CellFate::out_of_range;
  };
  for (const Slot& slot : binding_.real_slots) {
    CellValue& value = values_[slot.column];
    if (!value.usable || (slot.table != 0 && slot.table != table_)) continue;
    const double free = unbounded_in_slot(slot, value.number);
    if (!real_in_slot(slot, value.number)) {
      refuse(value);
    } else if (value.fate == CellFate::as_written && clamped_to(slot, free) != free) {
      value.fate = CellFate::clamped;
    }
  }
  for (const Slot& slot : binding_.integer_slots) {
    CellValue& value = values_[slot.column];
    if (slot.table != 0 && slot.table != table_) continue;
    if (value.usable && !integer_in_slot(slot, value.number)) refuse(value);
  }
}

TableInspection TableInspector::result() const {
  TableInspection made{rows_, rows_of_zero_, {}};
  for (const Column& column : columns_) made.columns.push_back(column.result());
  if (units_) {
    made.unit = {binding_.unit->name, binding_.unit->max_rows, units_->unit_count(),
                 rows_without_id_, rows_beyond_limit_};
  }
  return made;
}

const ColumnInspection* TableInspection::first_unusable_column() const {
  const auto found = std::find_if(columns.begin(), columns.end(),
                                  [](const ColumnInspection& one) { return one.usable == 0; });
  return found == columns.end() ? nullptr : &*found;
}

Binding columns_of_schema(const BindingRequest& request) {
  const Schema& schema = request.schema;
  std::vector<std::string> wanted;
  const auto want = [&](const std::string& name, const SourcePlace& place) {
    require_column(request, name, place);
    if (std::find(wanted.begin(), wanted.end(), name) == wanted.end()) wanted.push_back(name);
  };
  for (const ColumnSchema& column : schema.columns) want(column.name, column.place);
  for (const auto& [variable, declared] : schema.bindings) {
    for (const std::string& name : declared.columns) want(name, declared.place);
  }
  Binding binding;
  binding.missing = schema.missing;
  binding.unit = bound_unit(request);
  for (std::size_t i = 0; i < request.header->size(); ++i) {
    const std::string& name = (*request.header)[i];
    const bool is_wanted = std::find(wanted.begin(), wanted.end(), name) != wanted.end();
    if (!wanted.empty() && !is_wanted) continue;
    if (binding.unit && binding.unit->name == name) continue;
    binding.columns.push_back(bound_column(name, i, schema));
  }
  return binding;
}

}  // namespace dpvi
