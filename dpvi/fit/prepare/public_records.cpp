#include <dpvi/fit/prepare/public_records.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <span>

#include <fmt/format.h>

#include <dpvi/base/error.hpp>
#include <dpvi/data/shape.hpp>
#include <dpvi/stan/facts/constraint_checks.hpp>

namespace dpvi {
namespace {

// The numbers of one record variable, record after record.
struct Source {
  const RecordVariable* variable;
  std::vector<double> numbers;
};

std::optional<std::size_t> stated_count(const JsonData& file, const std::string& record_count) {
  const auto found = file.find(record_count);
  if (found == file.end()) return std::nullopt;
  const PublicValue value = public_value(record_count, found->second);
  const bool fits = value.dimensions.empty() && value.integers && value.numbers[0] >= 0;
  if (!fits) {
    throw InputError(
        kBadShape,
        fmt::format("'{}' must be one integer of at least 0: the record count.", record_count),
        "Correct the file.", found->second.place);
  }
  return static_cast<std::size_t>(value.numbers[0]);
}

Source read_source(const JsonData& file, const RecordVariable& variable,
                   std::optional<std::size_t>& records, const std::string& path) {
  const DataBlockVariable& declared = *variable.variable;
  const std::string& name = declared.declaration->name;
  const auto found = file.find(name);
  if (found == file.end()) {
    throw InputError(kMissingVariable,
                     fmt::format("'{}' ({}) is not in the data.", name, declared.type_description),
                     "Add it to the file.", {path, 0, 0});
  }
  PublicValue value = public_value(name, found->second);
  if (!records) records = value.dimensions.empty() ? 0 : value.dimensions[0];
  std::vector<std::size_t> wanted{*records};
  wanted.insert(wanted.end(), variable.sizes.begin(), variable.sizes.end());
  const std::size_t total = *records * static_cast<std::size_t>(variable.count);
  // Stan writes a variable without entries as [], regardless of its rank.
  const bool none = total == 0 && value.numbers.empty() && !value.dimensions.empty();
  if (value.dimensions != wanted && !none) {
    throw InputError(kBadShape,
                     fmt::format("'{}' is {}; the program declares {}, which is {} here.", name,
                                 shape_description(value.dimensions), declared.type_description,
                                 shape_description(wanted)),
                     "Make the two agree.", found->second.place);
  }
  return {&variable, std::move(value.numbers)};
}

// Describes why Stan would refuse a number; empty if it would not.
std::string problem_with(const RecordVariable& variable, double number) {
  const std::string& name = variable.variable->declaration->name;
  const bool outside = (variable.lower && !(number >= *variable.lower)) ||
                       (variable.upper && !(number <= *variable.upper));
  const bool no_integer =
      variable.integer && !(std::trunc(number) == number &&
                            std::abs(number) <= std::numeric_limits<std::int32_t>::max());
  if (!outside && !no_integer) return {};
  return fmt::format("{} is {}; it is declared {}", name, number,
                     variable.variable->type_description);
}

// Describes why Stan would refuse a group of numbers, such as a simplex or a covariance matrix.
std::string problem_together(const RecordVariable& variable, std::span<const double> numbers) {
  const DeclaredType& type = *variable.variable->declaration->declared;
  if (type.special == SpecialType::none || numbers.empty()) return {};
  const bool matrix = type.base == StanBase::matrix && variable.sizes.size() > 1;
  SpecialShape shape{static_cast<std::size_t>(variable.sizes.back()), 1};
  if (matrix) {
    shape.columns = shape.rows;
    shape.rows = static_cast<std::size_t>(variable.sizes[variable.sizes.size() - 2]);
  }
  const std::size_t piece = shape.rows * shape.columns;
  for (std::size_t begin = 0; begin + piece <= numbers.size(); begin += piece) {
    const std::string_view rule = broken_rule(type.special, numbers.subspan(begin, piece), shape);
    if (rule.empty()) continue;
    return fmt::format("{} is declared {}: {}", variable.variable->declaration->name,
                       variable.variable->type_description, rule);
  }
  return {};
}

void append(const Source& source, std::size_t record, PublicRecords& made, std::string& problem) {
  const auto count = static_cast<std::size_t>(source.variable->count);
  for (std::size_t i = record * count; i < (record + 1) * count; ++i) {
    const double number = source.numbers[i];
    if (problem.empty()) problem = problem_with(*source.variable, number);
    const double shown = problem.empty() ? number : 0.0;
    if (source.variable->integer) {
      made.integers.push_back(static_cast<std::int32_t>(shown));
    } else {
      made.reals.push_back(shown);
    }
  }
  if (problem.empty()) {
    problem = problem_together(*source.variable,
                               std::span(source.numbers).subspan(record * count, count));
  }
}

}  // namespace

RecordValues PublicRecords::record(std::size_t index) const {
  return {std::span(reals).subspan(index * real_columns, real_columns),
          std::span(integers).subspan(index * integer_columns, integer_columns)};
}

void take_public_values(const JsonData& file, const DataBlock& block, PublicData& known) {
  for (const DataBlockVariable& variable : block.variables) {
    const std::string& name = variable.declaration->name;
    const auto found = file.find(name);
    if (variable.role != DataRole::known || found == file.end()) continue;
    add_public_value(known, name, public_value(name, found->second));
  }
}

RecordFacts observed_facts(const JsonData& file, const DataBlock& block) {
  RecordFacts facts;
  for (const DataBlockVariable& variable : block.variables) {
    const std::string& name = variable.declaration->name;
    const auto found = file.find(name);
    if (variable.role != DataRole::record || found == file.end()) continue;
    const PublicValue value = public_value(name, found->second);
    if (value.dimensions.empty() || value.dimensions[0] == 0) continue;
    const std::size_t width = value.numbers.size() / value.dimensions[0];
    for (std::size_t i = 0; i < width; ++i) {
      facts[name].push_back(facts_of(value.numbers, i, width));
    }
  }
  return facts;
}

std::vector<ProgramRecord> observed_records(const JsonData& file, const DataBlock& block) {
  std::vector<ProgramRecord> records;
  if (!block.tables.empty()) return records;  // facts over several tables are declared
  for (const DataBlockVariable& variable : block.variables) {
    const std::string& name = variable.declaration->name;
    const auto found = file.find(name);
    if (variable.role != DataRole::record) continue;
    if (found == file.end()) return {};
    const PublicValue value = public_value(name, found->second);
    if (value.dimensions.empty() || value.dimensions[0] == 0) return {};
    if (records.empty()) records.resize(value.dimensions[0]);
    if (records.size() != value.dimensions[0]) return {};
    const std::size_t width = value.numbers.size() / records.size();
    const bool integer = variable.declaration->declared->base == StanBase::integer;
    for (std::size_t i = 0; i < records.size(); ++i) {
      const auto own = std::span(value.numbers).subspan(i * width, width);
      std::vector<double>& numbers = integer ? records[i].integers : records[i].reals;
      numbers.insert(numbers.end(), own.begin(), own.end());
    }
  }
  return records;
}

namespace {

const DataBlockVariable* unit_index(const DataBlock& block) {
  const auto found = std::ranges::find_if(block.variables, [](const DataBlockVariable& variable) {
    return variable.role == DataRole::unit_index;
  });
  return found == block.variables.end() ? nullptr : &*found;
}

// The ids of the rows' units: whole numbers from 1 on.
std::vector<double> read_ids(const JsonData& file, const DataBlockVariable& index, std::size_t rows,
                             const std::string& path) {
  const std::string& name = index.declaration->name;
  const auto found = file.find(name);
  if (found == file.end()) {
    throw InputError(kMissingVariable,
                     fmt::format("'{}' ({}) is not in the data.", name, index.type_description),
                     "Add it to the file.", {path, 0, 0});
  }
  std::vector<double> ids = public_value(name, found->second).numbers;
  const bool whole = std::ranges::all_of(
      ids, [](double id) { return id >= 1.0 && std::trunc(id) == id && id < 1e9; });
  if (ids.size() != rows || !whole) {
    throw InputError(
        kBadShape,
        fmt::format("'{}' must hold a whole number from 1 on for each of {} rows.", name, rows),
        "Correct the file.", found->second.place);
  }
  return ids;
}

// Gives each row the numbers of its unit.
void spread_over_rows(Source& source, const std::vector<double>& ids) {
  const auto count = static_cast<std::size_t>(source.variable->count);
  std::vector<double> numbers;
  for (const double id : ids) {
    const std::size_t first = (static_cast<std::size_t>(id) - 1) * count;
    for (std::size_t i = first; i < first + count; ++i) {
      numbers.push_back(i < source.numbers.size() ? source.numbers[i]
                                                  : std::numeric_limits<double>::quiet_NaN());
    }
  }
  source.numbers = std::move(numbers);
}

void assign_units(PublicRecords& made, const std::vector<double>& ids) {
  std::map<double, std::uint32_t> units;
  for (const double id : ids) {
    made.unit_of.push_back(
        units.emplace(id, static_cast<std::uint32_t>(units.size())).first->second);
  }
}

}  // namespace

namespace {

// Adds the rows of one table. Variables of other tables have stand-ins, which the density of this
// one does not use.
class RowsOfTables {
 public:
  RowsOfTables(const JsonData& file, const StanModel& model, const std::string& path)
      : file_(file), model_(model), path_(path) {}

  void add(std::size_t table, const std::string& count, PublicRecords& made) const {
    std::optional<std::size_t> rows = stated_count(file_, count);
    std::map<const RecordVariable*, Source> sources;
    for (const RecordVariable& variable : model_.record_variables) {
      if (is_number(variable) || variable.variable->table != table) continue;
      sources.emplace(&variable, read_source(file_, variable, rows, path_));
    }
    for (std::size_t row = 0; row < rows.value_or(0); ++row) {
      std::string problem;
      for (const RecordVariable& variable : model_.record_variables) {
        const auto source = sources.find(&variable);
        if (source != sources.end()) {
          append(source->second, row, made, problem);
        } else {
          append_stand_ins(variable, is_number(variable) ? static_cast<double>(table + 1) : 1.0,
                           made);
        }
      }
      made.problems.push_back(std::move(problem));
    }
  }

 private:
  static bool is_number(const RecordVariable& variable) {
    return variable.variable->declaration->name == TableNumber::kName;
  }

  static void append_stand_ins(const RecordVariable& variable, double wanted, PublicRecords& made) {
    const double number = std::min(std::max(wanted, variable.lower.value_or(wanted)),
                                   variable.upper.value_or(wanted));
    for (std::int32_t i = 0; i < variable.count; ++i) {
      if (variable.integer) {
        made.integers.push_back(static_cast<std::int32_t>(number));
      } else {
        made.reals.push_back(number);
      }
    }
  }

  const JsonData& file_;
  const StanModel& model_;
  const std::string& path_;
};

void count_columns(const StanModel& model, PublicRecords& made) {
  for (const RecordVariable& variable : model.row_variables()) {
    (variable.integer ? made.integer_columns : made.real_columns) +=
        static_cast<std::size_t>(variable.count);
  }
}

}  // namespace

PublicRecords read_public_records(const JsonData& file, const StanModel& model,
                                  const DataBlock& block, const std::string& record_count,
                                  const std::string& path) {
  if (!block.tables.empty()) {
    PublicRecords made;
    count_columns(model, made);
    const RowsOfTables rows(file, model, path);
    for (std::size_t table = 0; table < block.tables.size(); ++table) {
      rows.add(table, block.tables[table], made);
    }
    return made;
  }
  std::optional<std::size_t> records = stated_count(file, record_count);
  std::vector<Source> sources;
  for (const RecordVariable& variable : model.row_variables()) {
    std::optional<std::size_t> units;
    sources.push_back(
        read_source(file, variable, variable.variable->per_unit ? units : records, path));
  }
  PublicRecords made;
  if (const DataBlockVariable* index = unit_index(block)) {
    const std::vector<double> ids = read_ids(file, *index, records.value_or(0), path);
    for (Source& source : sources) {
      if (source.variable->variable->per_unit) spread_over_rows(source, ids);
    }
    assign_units(made, ids);
  }
  count_columns(model, made);
  for (std::size_t record = 0; record < records.value_or(0); ++record) {
    std::string problem;
    for (const Source& source : sources) append(source, record, made, problem);
    made.problems.push_back(std::move(problem));
  }
  return made;
}

}  // namespace dpvi
