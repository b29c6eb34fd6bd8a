#include <algorithm>
#include <limits>
#include <numeric>

#include <dpvi/stan/run/program_run.hpp>

// Records as columns that the graph reads, or as known numbers, and the units that they belong to.
namespace dpvi {
namespace {

constexpr double kUnbounded = std::numeric_limits<double>::infinity();

std::vector<std::int64_t> all_records(std::int64_t count) {
  std::vector<std::int64_t> records(static_cast<std::size_t>(count));
  std::iota(records.begin(), records.end(), std::int64_t{0});
  return records;
}

}  // namespace

// Every record is a unit of its own.
void ProgramRun::separate_units() {
  unit_of_.resize(static_cast<std::size_t>(record_count_));
  std::iota(unit_of_.begin(), unit_of_.end(), std::size_t{0});
  unit_count_ = record_count_;
}

// Finds the rows of each table. The last integer of a known record is the number of its table.
// 0 stands for a row to predict for, which is one of each table. Symbolic records are the same
// number of adjacent rows of each table.
void ProgramRun::separate_tables() {
  const auto tables = static_cast<std::int64_t>(setting_.data.tables.size());
  if (tables == 0) return;
  rows_of_table_.assign(setting_.data.tables.size(), {});
  if (symbolic_) {
    record_count_ *= tables;
    capacity_ *= tables;
  }
  for (std::int64_t record = 0; record < record_count_; ++record) {
    const double number = symbolic_ ? static_cast<double>(record * tables / record_count_ + 1)
                                    : records_[static_cast<std::size_t>(record)].integers.back();
    for (std::int64_t table = 0; table < tables; ++table) {
      if (number != 0.0 && number != static_cast<double>(table + 1)) continue;
      rows_of_table_[static_cast<std::size_t>(table)].push_back(record);
    }
  }
}

// The records that a variable or a record count is about.
std::vector<std::int64_t> ProgramRun::rows_of(const DataBlockVariable& variable) const {
  return setting_.data.tables.empty() ? all_records(record_count_) : rows_of_table_[variable.table];
}

// The program cannot read it. ModelTerms chooses the terms of a record by it.
void ProgramRun::bind_table_number() {
  RecordVariable number;
  number.variable = &setting_.data.table_number->variable;
  number.integer = true;
  number.first_column = integer_columns_++;
  number.count = 1;
  number.lower = 1.0;
  number.upper = static_cast<double>(setting_.data.tables.size());
  columns_.push_back(std::move(number));
}

std::vector<std::int64_t> ProgramRun::first_records() const {
  std::vector<std::int64_t> first;
  for (std::size_t record = 0; record < unit_of_.size(); ++record) {
    if (unit_of_[record] == first.size()) first.push_back(static_cast<std::int64_t>(record));
  }
  return first;
}

// The number of each record's unit in this run: 1, 2, ...
Value ProgramRun::unit_numbers(const Dims& dims, const Declaration& declaration) {
  std::vector<double> numbers;
  for (const std::size_t unit : unit_of_) numbers.push_back(static_cast<double>(unit) + 1.0);
  Value value(declaration.type(), dims, context_.builder.constant(numbers));
  value.trace.over_records = true;
  return value;
}

NodeId ProgramRun::record_entry(const RecordVariable& columns, std::int64_t record,
                                std::int64_t entry) {
  const ProgramRecord& mock = records_[static_cast<std::size_t>(record)];
  const std::vector<double>& numbers = columns.integer ? mock.integers : mock.reals;
  const auto at = static_cast<std::size_t>(columns.first_column + entry);
  if (at >= numbers.size())
    context_.fail("The shape of the records differs from their declaration.");
  return context_.builder.constant(numbers[at]);
}

// Uses the bounds of the program or, if it has none, those of the schema.
void ProgramRun::declare_column_ranges(const RecordVariable& columns) {
  const auto facts = setting_.options.facts.find(columns.variable->declaration->name);
  for (std::int32_t i = 0; i < columns.count; ++i) {
    std::optional<double> lower = columns.lower;
    std::optional<double> upper = columns.upper;
    const auto at = static_cast<std::size_t>(i);
    if (facts != setting_.options.facts.end() && at < facts->second.size()) {
      if (!lower) lower = facts->second[at].lower;
      if (!upper) upper = facts->second[at].upper;
    }
    const IntRange range{lower.value_or(-kUnbounded), upper.value_or(kUnbounded)};
    for (std::int64_t record = 0; record < record_count_; ++record) {
      context_.ranges.declare_column(column_of(columns, record) + i, range);
    }
  }
}

// The first of a variable's columns for one record. Columns are grouped by variable, then by
// record; a unit has columns for the most rows that it can have.
std::int32_t ProgramRun::column_of(const RecordVariable& columns, std::int64_t record) const {
  return static_cast<std::int32_t>(columns.first_column * capacity_ + record * columns.count);
}

Value ProgramRun::record_value(const DataBlockVariable& variable, const Dims& dims) {
  GraphBuilder& builder = context_.builder;
  const Declaration& declaration = *variable.declaration;
  RecordVariable columns;
  columns.variable = &variable;
  columns.integer = declaration.declared->base == StanBase::integer;
  const Dims inner = dims.from(1);
  for (std::size_t i = 0; i < inner.count(); ++i) columns.sizes.push_back(inner[i]);
  columns.count = context_.checked_size(inner.total());
  std::int32_t& next = columns.integer ? integer_columns_ : real_columns_;
  columns.first_column = next;
  next += columns.count;

  const std::vector<std::int64_t> offsets = offsets_by_rows(declaration.type(), dims);
  // The records whose values the variable holds.
  const std::vector<std::int64_t> chosen = variable.per_unit ? first_records() : rows_of(variable);
  Value value;
  if (symbolic_ && !chosen.empty()) {
    const std::int32_t first = column_of(columns, chosen.front());
    const std::int32_t count = columns.count * static_cast<std::int32_t>(chosen.size());
    const NodeId rows =
        columns.integer ? builder.record_int(first, count) : builder.record_real(first, count);
    value = Value(declaration.type(), dims, rows);
    if (!std::is_sorted(offsets.begin(), offsets.end())) {
      const std::vector<NodeId> by_rows = value.entries(builder);
      for (std::size_t i = 0; i < offsets.size(); ++i) {
        value.set_entry(builder, offsets[i], by_rows[i]);
      }
    }
  } else {
    value = Value::undefined(builder, declaration.type(), dims);
    for (std::size_t i = 0; i < offsets.size(); ++i) {
      const std::int64_t at = static_cast<std::int64_t>(i);
      const std::int64_t record = chosen[static_cast<std::size_t>(at / columns.count)];
      value.set_entry(builder, offsets[i], record_entry(columns, record, at % columns.count));
    }
  }
  value.trace.over_records = !variable.per_unit;
  value.trace.variable = static_cast<int>(&variable - setting_.data.variables.data());
  if (record_count_ > 0) {
    columns.lower = known_bound(declaration.declared->lower.get());
    columns.upper = known_bound(declaration.declared->upper.get());
  }
  if (symbolic_ && columns.integer) declare_column_ranges(columns);
  columns_.push_back(std::move(columns));
  return value;
}

}  // namespace dpvi
