#include <dpvi/fit/prepare/persons.hpp>

#include <fmt/format.h>

#include <dpvi/data/id_columns.hpp>
#include <dpvi/stan/facts/indexed_variables.hpp>

namespace dpvi {
namespace {

// The column that a variable with one number per record reads.
std::string column_of(const Schema& schema, const std::string& variable) {
  const auto bound = schema.bindings.find(variable);
  if (bound == schema.bindings.end() || bound->second.columns.empty()) return variable;
  return bound->second.columns.front();
}

std::optional<double> declared_value(const StanExpression& size, const DeclaredTable& declared) {
  if (size.kind == ExpressionKind::integer_literal) return size.number;
  if (size.kind != ExpressionKind::variable) return std::nullopt;
  for (const PublicData* values : {&declared.schema.public_values, &declared.public_data}) {
    const auto found = values->find(size.name);
    if (found == values->end() || found->second.numbers.size() != 1) continue;
    return found->second.numbers.front();
  }
  return std::nullopt;
}

// Why the levels may be persons; empty if nothing suggests it.
std::string suspicion(const IndexedVariable& indexed, const std::string& column,
                      const DeclaredTable& declared) {
  constexpr double kManyLevels = 30.0;
  constexpr double kFewRows = 20.0;
  const ColumnSchema* facts = declared.schema.find_column(column);
  const bool listed = facts != nullptr && !facts->levels.empty();
  for (const std::string& name : {indexed.index, column}) {
    const IdName kind = id_name(name);
    if (kind == IdName::person || (kind == IdName::id && !listed)) {
      return fmt::format("the name '{}' looks like an id", name);
    }
  }
  if (listed) return {};
  const std::optional<double> levels = declared_value(*indexed.size, declared);
  const std::optional<double> rows = declared.schema.rows
                                         ? std::optional(static_cast<double>(*declared.schema.rows))
                                         : declared.rows;
  if (!levels || !rows || *levels <= kManyLevels || *rows >= kFewRows * *levels) return {};
  return fmt::format("{} levels share about {} declared rows", *levels, *rows);
}

}  // namespace

void join_declared_units(const StanProgram& program, const Schema& schema, DataBlock& data,
                         Findings& findings) {
  // With several tables, a unit contributes the sum over its rows.
  if (!schema.unit || !data.tables.empty()) return;
  for (const DataBlockVariable& variable : data.variables) {
    const Declaration& declaration = *variable.declaration;
    const bool one_int = variable.role == DataRole::record && variable.sizes.empty() &&
                         declaration.declared->base == StanBase::integer;
    if (!one_int || column_of(schema, declaration.name) != schema.unit->column) continue;
    return join_rows_of_units(program, declaration.name, data, findings);
  }
}

void leave_out_unit_variables(const DataBlock& data, BindingRequest& request) {
  for (const DataBlockVariable& variable : data.variables) {
    const std::string& name = variable.declaration->name;
    if (variable.role == DataRole::unit_index) request.schema.bindings.erase(name);
    if (variable.role != DataRole::unit_count) continue;
    request.schema.public_values.erase(name);
    request.public_data.erase(name);
  }
}

std::optional<InputError> undecided_levels(const StanProgram& program, const DataBlock& data,
                                           const DeclaredTable& declared, const std::string& file) {
  if (declared.schema.unit) return std::nullopt;
  for (const IndexedVariable& indexed : variables_indexed_by_records(program, data)) {
    const std::string column = column_of(declared.schema, indexed.index);
    const ColumnSchema* facts = declared.schema.find_column(column);
    if (facts != nullptr && facts->public_levels) continue;
    const std::string why = suspicion(indexed, column, declared);
    if (why.empty()) continue;
    return InputError(
        kUndeclaredPublicFact,
        fmt::format("'{}' has a value for each level of '{}', and a fit releases all of them. The "
                    "levels may be persons: {}.",
                    indexed.name, indexed.index, why),
        fmt::format("Choose one in the schema: [columns.{0}] public_levels = true, if the levels "
                    "are public groups; or [table] unit = \"{0}\" with max_rows_per_unit = 4, if "
                    "they are people: all rows of one are a record, and its values are integrated "
                    "out.",
                    column),
        {file, static_cast<int>(indexed.spot.line), static_cast<int>(indexed.spot.column)});
  }
  return std::nullopt;
}

}  // namespace dpvi
