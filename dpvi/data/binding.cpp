#include <dpvi/data/binding.hpp>

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <dpvi/data/indexed_columns.hpp>
#include <dpvi/data/public_facts.hpp>
#include <dpvi/data/schema_checks.hpp>
#include <dpvi/data/variable_name.hpp>

namespace dpvi {
namespace {

bool contains(std::span<const std::string> names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

class Binder {
 public:
  explicit Binder(const BindingRequest& request) : request_(request) {}

  Binding bind() {
    declare_public_data();
    check_schema_fits(request_);
    for (const DataVariable& variable : request_.variables) {
      if (!variable.per_record || !request_.wants(variable.name)) continue;
      if (variable.is_table_number) {
        bind_table_number(variable);
      } else {
        bind_variable(variable);
      }
    }
    check_public_data(request_.variables, binding_.public_data, request_.record_count);
    apply_program_bounds();
    binding_.missing = request_.schema.missing;
    binding_.unit = bound_unit(request_);
    binding_.public_facts = list_public_facts(request_, binding_);
    return std::move(binding_);
  }

 private:
  void declare_public_data() {
    binding_.public_data = request_.schema.public_values;
    for (const auto& [name, value] : request_.public_data) {
      add_public_value(binding_.public_data, name, value);
    }
  }

  void bind_variable(const DataVariable& variable) {
    refuse_second_record_dimension(variable);
    const auto declared = request_.schema.bindings.find(variable.name);
    const bool listed = declared != request_.schema.bindings.end();
    const std::vector<std::string> names =
        listed ? declared->second.columns : columns_by_name(variable);
    const SourcePlace place = listed ? declared->second.place : SourcePlace{};
    std::vector<Slot>& slots =
        variable.base == BaseType::integer ? binding_.integer_slots : binding_.real_slots;
    BoundVariable bound{variable.name, variable.base, slots.size(), 0, {}};
    for (const std::string& name : names) {
      refuse_unit_column(variable, name, place);
      require_column(request_, name, place);
      append_slots(variable, name, place, slots);
    }
    bound.count = slots.size() - bound.first_slot;
    for (std::size_t i = bound.first_slot; i < slots.size(); ++i) slots[i].table = variable.table;
    bound.dimensions = settle_dimensions(variable, bound.count, place);
    binding_.variables.push_back(std::move(bound));
  }

  // The column that tells tables apart is a category whose levels are the tables.
  void bind_table_number(const DataVariable& variable) {
    const std::vector<CountedTable>& tables = request_.schema.tables;
    const bool files = tables.front().column.empty();
    const std::string& name = files ? variable.name : tables.front().column;
    require_column(request_, name, tables.front().place);
    if (!files) refuse_second_use(tables.front());
    BoundColumn column = bound_column(name, position_of(name), request_.schema);
    column.type = ColumnType::category;
    column.shares = shares_of_tables(column);
    column.levels.clear();
    for (const CountedTable& table : tables) {
      column.levels.push_back(files ? table.count : table.equals);
    }
    binding_.columns.push_back(std::move(column));
    binding_.table_slot = binding_.integer_slots.size();
    binding_.integer_slots.push_back(
        level_slot(binding_.columns.size() - 1, 0, 1.0, static_cast<double>(tables.size())));
    binding_.variables.push_back({variable.name, BaseType::integer, *binding_.table_slot, 1, {}});
  }

  void refuse_second_use(const CountedTable& table) const {
    if (!places_.contains(table.column)) return;
    throw InputError(kNotBindable,
                     fmt::format("column '{}' tells the tables apart and is data of the program "
                                 "too.",
                                 table.column),
                     "Remove the variable: within a table it is a constant.", table.place);
  }

  // The shares of the levels that are tables, if they are declared.
  std::vector<double> shares_of_tables(const BoundColumn& column) const {
    std::vector<double> shares;
    double sum = 0.0;
    for (const CountedTable& table : request_.schema.tables) {
      const auto level = std::ranges::find(column.levels, table.equals);
      if (column.shares.empty() || level == column.levels.end()) return {};
      shares.push_back(column.shares[static_cast<std::size_t>(level - column.levels.begin())]);
      sum += shares.back();
    }
    for (double& share : shares) share /= sum;
    return shares;
  }

  // An int that reads the unit column is the unit index, which is not bound (join_declared_units).
  void refuse_unit_column(const DataVariable& variable, const std::string& name,
                          const SourcePlace& place) const {
    const std::optional<DeclaredUnit>& unit = request_.schema.unit;
    if (!unit || unit->column != name) return;
    throw InputError(
        kNotBindable,
        fmt::format("'{}' ({}) reads column '{}', which is the unit of privacy: a result must not "
                    "distinguish units.",
                    variable.name, variable.type_description, name),
        "Remove the variable, or declare it as an int with one value for each row: the program "
        "may then use the rows of a unit together.",
        place.file.empty() ? variable.place : place);
  }

  void refuse_second_record_dimension(const DataVariable& variable) const {
    for (const DeclaredNumber& extent : variable.dimensions) {
      if (extent.kind != DeclaredNumber::Kind::size || extent.size != request_.record_count)
        continue;
      throw InputError(kNotBindable,
                       fmt::format("'{}' ({}) has the record count in a later dimension too.",
                                   variable.name, variable.type_description),
                       "A record's data may depend on that record alone: give each record a row.",
                       variable.place);
    }
  }

  // Returns the columns of a variable for which the schema names none.
  std::vector<std::string> columns_by_name(const DataVariable& variable) const {
    const std::size_t rank = variable.dimensions.size();
    if (rank == 0) return {column_by_name(variable.name)};
    std::vector<std::size_t> known;
    constexpr double kLargestExtent = 1e15;  // larger ones need no integer: both are refused
    for (const DeclaredNumber& extent : variable.dimensions) {
      const std::optional<double> value = value_of(extent, binding_.public_data);
      if (!value || !(*value >= 0)) continue;
      known.push_back(static_cast<std::size_t>(std::min(*value, kLargestExtent)));
    }
    const bool all_known = known.size() == rank;
    if (all_known && contains_zero(known)) return {};
    if (request_.header) {
      if (const auto found = find_indexed_columns(variable.name, rank, *request_.header)) {
        for (const std::string& name : found->names) require_column(request_, name, {});
        if (!all_known || found->extents == known) return found->names;
        refuse_extents(variable, found->extents, known);
      }
      refuse_unnamed_columns(variable);
    }
    if (!all_known) refuse_unknown_width(variable);
    refuse_too_wide(variable, known);
    return element_names(variable.name, known);
  }

  // The column of this name, or the only declared column whose variable has this name in formulas.
  std::string column_by_name(const std::string& variable) const {
    const bool exists = request_.schema.find_column(variable) != nullptr ||
                        (request_.header && contains(*request_.header, variable));
    std::string found;
    for (const ColumnSchema& column : request_.schema.columns) {
      if (exists || !names_variable(column.name, variable)) continue;
      if (!found.empty()) return variable;
      found = column.name;
    }
    return found.empty() ? variable : found;
  }

  static bool contains_zero(std::span<const std::size_t> extents) {
    return std::find(extents.begin(), extents.end(), 0) != extents.end();
  }

  [[noreturn]] void refuse_extents(const DataVariable& variable, std::span<const std::size_t> found,
                                   std::span<const std::size_t> known) const {
    throw InputError(
        kBadShape,
        fmt::format("the header has columns of '{}' up to index {}; the program's {} is [{}] here.",
                    variable.name, fmt::join(found, ", "), variable.type_description,
                    fmt::join(known, ", ")),
        fmt::format("Change the declared size, or name the columns: [model] {} = [...].",
                    variable.name),
        {request_.table_file, 1, 0});
  }

  [[noreturn]] void refuse_unnamed_columns(const DataVariable& variable) const {
    const std::vector<std::size_t> ones(variable.dimensions.size(), 1);
    const std::string first = element_names(variable.name, ones).front();
    throw InputError(
        kMissingColumn,
        fmt::format("'{}' ({}) needs columns {}, ...; the header of {} has none of them.",
                    variable.name, variable.type_description, first, request_.table_file),
        fmt::format("Name them in the schema: [model] {} = [\"...\"]. {}", variable.name,
                    header_text(*request_.header)),
        {request_.table_file, 1, 0});
  }

  static void refuse_too_wide(const DataVariable& variable, std::span<const std::size_t> extents) {
    constexpr double kMaxColumns = 1e5;
    double columns = 1;
    for (const std::size_t extent : extents) columns *= static_cast<double>(extent);
    if (columns <= kMaxColumns) return;
    throw InputError(kBadPublicValue,
                     fmt::format("'{}' ({}) would have {} columns; at most {} are read.",
                                 variable.name, variable.type_description, columns, kMaxColumns),
                     "Correct the declared sizes.", variable.place);
  }

  [[noreturn]] void refuse_unknown_width(const DataVariable& variable) const {
    throw UndeclaredFactError(
        fmt::format("the number of columns of '{}' ({}) is not declared.", variable.name,
                    variable.type_description),
        fmt::format("Add '{0} = ...' under [public] in the schema, or -D {0}=..., or "
                    "name the columns: [model] {1} = [...].",
                    first_unknown_size(variable), variable.name),
        variable.place);
  }

  std::string first_unknown_size(const DataVariable& variable) const {
    for (const DeclaredNumber& extent : variable.dimensions) {
      if (!value_of(extent, binding_.public_data)) {
        return extent.kind == DeclaredNumber::Kind::size ? extent.size : extent.text;
      }
    }
    return variable.dimensions.front().text;
  }

  // Appends the slots of one column to a variable: one slot, or one per level.
  void append_slots(const DataVariable& variable, const std::string& name, const SourcePlace& place,
                    std::vector<Slot>& slots) {
    const ColumnSchema* declared = request_.schema.find_column(name);
    const bool integer = variable.base == BaseType::integer;
    if (integer && declared != nullptr) refuse_reals_for_integers(variable, *declared, place);
    const std::size_t column = use_column(name, integer);
    if (binding_.columns[column].type != ColumnType::category) {
      slots.push_back(number_slot(column, declared));
      return;
    }
    const std::size_t levels = declared->levels.size();
    const Coding coding = declared->coding.value_or(integer ? Coding::index : Coding::dummy);
    if (coding == Coding::index) {
      slots.push_back(level_slot(column, 0, 1.0, static_cast<double>(levels)));
      follow_levels(variable, *declared, place);
      return;
    }
    for (std::size_t level = coding == Coding::dummy ? 2 : 1; level <= levels; ++level) {
      slots.push_back(level_slot(column, level, 0.0, 1.0));
    }
  }

  static Slot level_slot(std::size_t column, std::size_t level, double lower, double upper) {
    Slot slot;
    slot.column = column;
    slot.level = level;
    slot.facts = {lower, upper, std::nullopt, std::nullopt};
    return slot;
  }

  static void refuse_reals_for_integers(const DataVariable& variable, const ColumnSchema& declared,
                                        const SourcePlace& place) {
    const auto refuse = [&](const std::string& what, const std::string& hint) {
      throw InputError(kNotBindable,
                       fmt::format("'{}' ({}) needs integers, but column '{}' {}.", variable.name,
                                   variable.type_description, declared.name, what),
                       hint, place.file.empty() ? declared.place : place);
    };
    if (declared.type == ColumnType::real) refuse("is declared real", "Write type = \"int\".");
    if (declared.standardise) refuse("is standardised", "Remove standardise.");
    const double missing = declared.value_if_missing.value_or(0);
    if (missing != std::trunc(missing)) {
      refuse(fmt::format("has if_missing = {}", missing), "Write a whole number.");
    }
  }

  // Returns the index of the column among the bound columns. Each column is read once, even if
  // several variables use it.
  std::size_t use_column(const std::string& name, bool integer) {
    std::vector<BoundColumn>& columns = binding_.columns;
    const auto [known, added] = places_.try_emplace(name, columns.size());
    if (added) columns.push_back(bound_column(name, position_of(name), request_.schema));
    // A column of undeclared type becomes an integer column if any variable requires it.
    BoundColumn& column = columns[known->second];
    if (integer && column.type == ColumnType::real) column.type = ColumnType::integer;
    return known->second;
  }

  std::size_t position_of(const std::string& name) const {
    if (!request_.header) return binding_.columns.size();
    const auto at = std::find(request_.header->begin(), request_.header->end(), name);
    return static_cast<std::size_t>(at - request_.header->begin());
  }

  static Slot number_slot(std::size_t column, const ColumnSchema* declared) {
    Slot slot;
    slot.column = column;
    if (declared == nullptr) return slot;
    slot.facts = {declared->lower, declared->upper, declared->mean, declared->sd};
    if (!declared->standardise) return slot;
    slot.subtract = *declared->mean;
    slot.divide = *declared->sd;
    const auto standardised = [&](const std::optional<double>& value) {
      return value ? std::optional((*value - slot.subtract) / slot.divide) : std::nullopt;
    };
    slot.facts = {standardised(declared->lower), standardised(declared->upper), 0.0, 1.0};
    return slot;
  }

  // The codes 1..K of a category must satisfy the program's bounds. A public upper bound without a
  // value is set to K.
  void follow_levels(const DataVariable& variable, const ColumnSchema& declared,
                     const SourcePlace& place) {
    const auto count = static_cast<double>(declared.levels.size());
    if (variable.upper && variable.upper->kind == DeclaredNumber::Kind::size &&
        !value_of(*variable.upper, binding_.public_data)) {
      add_public_value(
          binding_.public_data, variable.upper->size,
          PublicValue::integer(count - variable.upper->value, "levels of column " + declared.name));
    }
    const double lower = lower_bound(variable);
    const double upper = upper_bound(variable);
    if (lower <= 1 && upper >= count) return;
    throw InputError(
        kNotBindable,
        fmt::format("the {} levels of column '{}' have codes 1 to {}; '{}' ({}) does "
                    "not allow all of them.",
                    count, declared.name, count, variable.name, variable.type_description),
        count == 2 ? "Write coding = \"dummy\" for 0 and 1."
                   : "Change the levels or the program's bounds.",
        place.file.empty() ? declared.place : place);
  }

  // Returns the extents of a variable that has `count` slots per record. Undeclared sizes are
  // derived from `count`; all other sizes must agree with it.
  std::vector<std::size_t> settle_dimensions(const DataVariable& variable, std::size_t count,
                                             const SourcePlace& place) {
    std::vector<std::size_t> extents = found_extents(variable, count);
    std::size_t product = 1;
    bool agree = true;
    for (std::size_t i = 0; i < extents.size(); ++i) {
      const DeclaredNumber& declared = variable.dimensions[i];
      const auto extent = static_cast<double>(extents[i]);
      product *= extents[i];
      if (declared.kind == DeclaredNumber::Kind::size && extent >= declared.value &&
          !value_of(declared, binding_.public_data)) {
        add_public_value(
            binding_.public_data, declared.size,
            PublicValue::integer(extent - declared.value, "columns of " + variable.name));
      }
      agree = agree && value_of(declared, binding_.public_data).value_or(extent) == extent;
    }
    if (agree && product == count) return extents;
    throw InputError(
        kBadShape,
        fmt::format("'{}' ({}) takes [{}] values per record; its columns give {}.", variable.name,
                    variable.type_description, wanted_extents(variable), count),
        "Name as many columns as the program declares; a category with coding dummy gives one "
        "column less than it has levels.",
        place.file.empty() ? SourcePlace{request_.table_file, 1, 0} : place);
  }

  std::string wanted_extents(const DataVariable& variable) const {
    if (variable.dimensions.empty()) return "1";
    std::vector<std::string> words;
    for (const DeclaredNumber& declared : variable.dimensions) {
      const std::optional<double> value = value_of(declared, binding_.public_data);
      words.push_back(value ? fmt::format("{}", *value) : declared.text);
    }
    return fmt::format("{}", fmt::join(words, ", "));
  }

  std::vector<std::size_t> found_extents(const DataVariable& variable, std::size_t count) const {
    const std::size_t rank = variable.dimensions.size();
    if (rank > 1 && !request_.schema.bindings.contains(variable.name) && request_.header) {
      if (const auto found = find_indexed_columns(variable.name, rank, *request_.header)) {
        return found->extents;
      }
    }
    std::vector<std::size_t> extents;
    std::size_t unknown = rank;
    std::size_t product = 1;
    for (std::size_t i = 0; i < rank; ++i) {
      const std::optional<double> value = value_of(variable.dimensions[i], binding_.public_data);
      if (!value && unknown < rank) refuse_unknown_width(variable);
      if (!value) unknown = i;
      extents.push_back(value ? static_cast<std::size_t>(std::max(0.0, *value)) : 1);
      product *= extents.back();
    }
    if (unknown < rank && product > 0) extents[unknown] = count / product;
    return extents;
  }

  // Infinite if the program declares no bound, or one that only the program can evaluate.
  double lower_bound(const DataVariable& variable) const {
    constexpr double kNone = -std::numeric_limits<double>::infinity();
    return variable.lower ? value_of(*variable.lower, binding_.public_data).value_or(kNone) : kNone;
  }

  double upper_bound(const DataVariable& variable) const {
    constexpr double kNone = std::numeric_limits<double>::infinity();
    return variable.upper ? value_of(*variable.upper, binding_.public_data).value_or(kNone) : kNone;
  }

  void apply_program_bounds() {
    for (const BoundVariable& bound : binding_.variables) {
      const auto named = [&](const DataVariable& variable) { return variable.name == bound.name; };
      const DataVariable& variable =
          *std::find_if(request_.variables.begin(), request_.variables.end(), named);
      std::vector<Slot>& slots =
          bound.base == BaseType::integer ? binding_.integer_slots : binding_.real_slots;
      const double lower = lower_bound(variable);
      const double upper = upper_bound(variable);
      for (std::size_t i = 0; i < bound.count; ++i) {
        Slot& slot = slots[bound.first_slot + i];
        slot.lower = lower;
        slot.upper = upper;
        if (std::isfinite(lower)) {
          slot.facts.lower = std::max(slot.facts.lower.value_or(lower), lower);
        }
        if (std::isfinite(upper)) {
          slot.facts.upper = std::min(slot.facts.upper.value_or(upper), upper);
        }
      }
    }
  }

  const BindingRequest& request_;
  Binding binding_;
  std::unordered_map<std::string, std::size_t> places_;  // index into binding_.columns, by name
};

}  // namespace

bool BindingRequest::wants(const std::string& name) const {
  return only.empty() || contains(only, name);
}

BoundColumn bound_column(const std::string& name, std::size_t position, const Schema& schema) {
  const ColumnSchema* declared = schema.find_column(name);
  BoundColumn column;
  column.name = name;
  column.position = position;
  column.cells = declared == nullptr ? schema.cells : declared->cells;
  if (declared == nullptr) return column;
  column.type = declared->type.value_or(ColumnType::real);
  column.lower = declared->lower.value_or(column.lower);
  column.upper = declared->upper.value_or(column.upper);
  column.value_if_missing = declared->value_if_missing;
  column.levels = declared->levels;
  column.shares = declared->shares;
  return column;
}

std::optional<UnitColumn> bound_unit(const BindingRequest& request) {
  const std::optional<DeclaredUnit>& unit = request.schema.unit;
  if (!unit || !request.only.empty()) return std::nullopt;
  UnitColumn bound{unit->column, 0, unit->max_rows};
  if (!request.header) return bound;
  require_column(request, unit->column, unit->place);
  const auto at = std::find(request.header->begin(), request.header->end(), unit->column);
  bound.position = static_cast<std::size_t>(at - request.header->begin());
  return bound;
}

Binding bind_columns(const BindingRequest& request) { return Binder(request).bind(); }

std::optional<Binding> bind_if_declared(const BindingRequest& request) {
  try {
    return bind_columns(request);
  } catch (const UndeclaredFactError&) {
    return std::nullopt;
  }
}

}  // namespace dpvi
