#include <algorithm>

#include <fmt/format.h>

#include <dpvi/stan/facts/data_block.hpp>
#include <dpvi/stan/facts/indexed_variables.hpp>

namespace dpvi {
namespace {

// The data int that an expression names; empty for any other expression.
std::string int_named(const StanExpression* expression) {
  if (expression == nullptr || expression->kind != ExpressionKind::variable) return {};
  return expression->type.is_int() ? expression->name : std::string();
}

DataBlockVariable* variable_of(DataBlock& data, const std::string& name) {
  const auto found = std::ranges::find_if(data.variables, [&](const DataBlockVariable& variable) {
    return variable.declaration->name == name;
  });
  return found == data.variables.end() ? nullptr : &*found;
}

// Names of the number of units: bounds of the index, and sizes of what it indexes.
std::vector<std::string> names_of_count(const StanProgram& program, const Declaration& index,
                                        const DataBlock& data) {
  std::vector<std::string> names{int_named(index.declared->upper.get())};
  for (const IndexedVariable& indexed : variables_indexed_by_records(program, data)) {
    if (indexed.index == index.name) names.push_back(int_named(indexed.size));
  }
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  std::erase(names, "");
  return names;
}

const StanExpression* first_size(const Declaration& declaration) {
  if (!declaration.array_sizes->empty()) return declaration.array_sizes->front().get();
  return declaration.declared->sizes.empty() ? nullptr : declaration.declared->sizes.front().get();
}

}  // namespace

void join_rows_of_units(const StanProgram& program, const std::string& unit_index, DataBlock& data,
                        Findings& findings) {
  DataBlockVariable* index = variable_of(data, unit_index);
  const Declaration& declared = *index->declaration;
  index->role = DataRole::unit_index;
  data.by_unit = true;
  std::vector<std::string> counts;
  for (const std::string& name : names_of_count(program, declared, data)) {
    DataBlockVariable* count = variable_of(data, name);
    if (count == nullptr || count->role != DataRole::known || !count->sizes.empty()) continue;
    count->role = DataRole::unit_count;
    counts.push_back(name);
  }
  for (DataBlockVariable& variable : data.variables) {
    const std::string leading = int_named(first_size(*variable.declaration));
    const bool by_unit = std::ranges::find(counts, leading) != counts.end();
    if (!by_unit || variable.role != DataRole::known) continue;
    variable.role = DataRole::record;
    variable.per_unit = true;
    variable.sizes.erase(variable.sizes.begin());
  }
  for (const DataBlockVariable& variable : data.variables) {
    for (const StatedNumber& size : variable.sizes) {
      if (std::ranges::find(counts, size.size) == counts.end()) continue;
      findings.error(
          kModelRecords, variable.declaration->spot,
          fmt::format("'{}' has the number of units, {}, in another place than its first "
                      "size.",
                      variable.declaration->name, size.size),
          "A unit's data depend on that unit alone: one value or row for each unit.");
    }
  }
}

}  // namespace dpvi
