#include <dpvi/fit/check/binding_check.hpp>

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <dpvi/base/error.hpp>
#include <dpvi/base/nearest_name.hpp>
#include <dpvi/fit/check/partial_binding.hpp>
#include <dpvi/fit/check/program_summary.hpp>
#include <dpvi/fit/prepare/persons.hpp>
#include <dpvi/fit/prepare/program_data.hpp>

namespace dpvi {
namespace {

bool bind_inputs(CheckState& state) {
  BindingRequest wanted;
  wanted.variables = data_variables(state.check.data, state.check.file);
  wanted.schema = state.request.schema;
  wanted.public_data = state.request.public_data;
  wanted.record_count = state.check.record_count;
  leave_out_unit_variables(state.check.data, wanted);
  try {
    PartialBinding partial = bind_declared_data(wanted);
    state.binding = std::move(partial.binding);
    state.undeclared = std::move(partial.undeclared);
    return true;
  } catch (const InputError& error) {
    state.check.add(error);
    return false;
  }
}

const std::string& column_name(const Binding& binding, const BoundVariable& bound, std::size_t i) {
  const auto& slots = bound.base == BaseType::integer ? binding.integer_slots : binding.real_slots;
  return binding.columns[slots[bound.first_slot + i].column].name;
}

// Bounds declared by the program limit the min and max over the records of --data but need not
// equal them. Facts declared in the schema are kept, as in a fit.
void forget_declared_bounds(CheckState& state) {
  const std::vector<ColumnSchema>& declared = state.request.schema.columns;
  const auto in_schema = [&](const std::string& column) {
    return std::any_of(declared.begin(), declared.end(),
                       [&](const ColumnSchema& one) { return one.name == column; });
  };
  for (const BoundVariable& bound : state.binding.variables) {
    std::vector<ColumnFacts>& facts = state.check.options.facts[bound.name];
    for (std::size_t i = 0; i < facts.size(); ++i) {
      if (in_schema(column_name(state.binding, bound, i))) continue;
      facts[i].lower.reset();
      facts[i].upper.reset();
    }
  }
}

void note_columns(CheckState& state) {
  for (const BoundVariable& bound : state.binding.variables) {
    if (bound.name == TableNumber::kName) continue;
    std::vector<std::string> columns;
    for (std::size_t i = 0; i < bound.count; ++i) {
      const std::string& name = column_name(state.binding, bound, i);
      if (columns.empty() || columns.back() != name) columns.push_back(name);
    }
    state.record_data(bound.name).columns = std::move(columns);
  }
}

// The name is misspelt or is not public data of the program.
void warn_of_unused_values(CheckState& state) {
  std::vector<std::string> names;
  for (const PublicDataSummary& known : state.check.public_data) names.push_back(known.name);
  for (const auto& [name, value] : state.request.public_data) {
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    const auto near = nearest_name(name, names);
    // A name from a file is not quoted: the file may be the private table.
    const std::string what = value.place.file.empty() ? fmt::format("'{}' ({})", name, value.source)
                                                      : "The variable here";
    state.check.add(
        InputError(kBadPublicValue,
                   fmt::format("{} is not public data of the program and is not used.", what),
                   near ? fmt::format("Did you mean '{}'?", *near) : "", value.place),
        Severity::warning);
  }
}

// Facts about a column that no variable uses have no effect.
void warn_of_unused_columns(CheckState& state) {
  std::vector<std::string> used;
  for (const BoundColumn& column : state.binding.columns) used.push_back(column.name);
  for (const ColumnSchema& column : state.request.schema.columns) {
    if (std::find(used.begin(), used.end(), column.name) != used.end()) continue;
    const auto near = nearest_name(column.name, used);
    state.check.add(InputError(kNotBindable,
                               fmt::format("No data of the program uses column '{}'.", column.name),
                               near ? fmt::format("Did you mean '{}'?", *near) : "", column.place),
                    Severity::warning);
  }
}

}  // namespace

void bind_public_inputs(CheckState& state) {
  if (!bind_inputs(state)) return;
  ModelCheck& check = state.check;
  check.with_mock_data = !state.undeclared.empty();
  check.options.record_count = check.record_count;
  check.options.known = known_data(state.binding.public_data);
  check.options.facts = record_facts(state.binding);
  if (const auto& unit = state.request.schema.unit) {
    check.options.rows_per_unit = static_cast<std::int32_t>(unit->max_rows);
  }
  if (!state.request.observed.empty()) forget_declared_bounds(state);
  check.options.mock_missing = check.with_mock_data;
  note_values(state, state.binding.public_data);
  note_columns(state);
  warn_of_unused_values(state);
  if (!check.with_mock_data) warn_of_unused_columns(state);
}

}  // namespace dpvi
