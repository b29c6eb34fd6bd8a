#include <dpvi/api/level_names.hpp>

#include <algorithm>
#include <span>

#include <dpvi/stan/syntax/syntax_tree.hpp>

namespace dpvi {
namespace {

using NamesBySize = std::map<std::string, IndexNames>;

// The levels of the column behind a variable, or none.
IndexNames levels_of(const Binding& binding, const std::string& variable) {
  const auto bound = std::ranges::find(binding.variables, variable, &BoundVariable::name);
  if (bound == binding.variables.end() || bound->base != BaseType::integer || bound->count == 0) {
    return {};
  }
  return binding.columns[binding.integer_slots[bound->first_slot].column].levels;
}

// The name of one number of a record. Columns that are named after the variable, as in x.1, say no
// more than their number, and have none.
std::string slot_name(const Binding& binding, const Slot& slot, const std::string& variable,
                      bool one_column) {
  const BoundColumn& column = binding.columns[slot.column];
  if (slot.level > 0) {
    const std::string& level = column.levels[slot.level - 1];
    return one_column ? level : column.name + ": " + level;
  }
  const bool numbered =
      column.name.starts_with(variable + ".") || column.name.starts_with(variable + "[");
  return numbered ? "" : column.name;
}

// Names of the numbers that a variable has in every record, or none.
IndexNames names_of_columns(const Binding& binding, const std::string& variable) {
  const auto bound = std::ranges::find(binding.variables, variable, &BoundVariable::name);
  if (bound == binding.variables.end() || bound->dimensions.size() != 1) return {};
  const std::vector<Slot>& all =
      bound->base == BaseType::integer ? binding.integer_slots : binding.real_slots;
  const auto slots = std::span(all).subspan(bound->first_slot, bound->count);
  const bool one_column = std::ranges::all_of(
      slots, [&](const Slot& slot) { return slot.column == slots.front().column; });
  IndexNames names;
  for (const Slot& slot : slots) {
    names.push_back(slot_name(binding, slot, variable, one_column));
    if (names.back().empty()) return {};
  }
  return names;
}

NamesBySize names_by_size(const BoundModel& bound) {
  NamesBySize names_of;
  for (const DataVariable& variable : bound.program.binding_request().variables) {
    if (!variable.upper || variable.upper->kind != DeclaredNumber::Kind::size ||
        variable.upper->value != 0) {
      continue;
    }
    const IndexNames names = levels_of(bound.binding, variable.name);
    const auto size = value_of(*variable.upper, bound.binding.public_data);
    if (size == static_cast<double>(names.size()))
      names_of.try_emplace(variable.upper->size, names);
  }
  for (const DataVariable& variable : bound.program.binding_request().variables) {
    if (!variable.per_record || variable.dimensions.size() != 1) continue;
    const DeclaredNumber& size = variable.dimensions.front();
    if (size.kind != DeclaredNumber::Kind::size || size.value != 0) continue;
    const IndexNames names = names_of_columns(bound.binding, variable.name);
    if (!names.empty()) names_of.try_emplace(size.size, names);
  }
  return names_of;
}

void add_names(const std::vector<ExpressionPtr>& sizes, const NamesBySize& names_of,
               std::vector<IndexNames>& names) {
  for (const ExpressionPtr& size : sizes) {
    const bool named = size && size->kind == ExpressionKind::variable;
    const auto found = named ? names_of.find(size->name) : names_of.end();
    names.push_back(found == names_of.end() ? IndexNames{} : found->second);
  }
}

}  // namespace

std::map<std::string, std::vector<IndexNames>> level_names(const BoundModel& bound) {
  const NamesBySize names_of = names_by_size(bound);
  std::map<std::string, std::vector<IndexNames>> result;
  const StanProgram& program = bound.program.inputs().program.program;
  for (const BlockKind block : {BlockKind::parameters, BlockKind::transformed_parameters,
                                BlockKind::generated_quantities}) {
    for (const StatementPtr& statement : program.block(block).statements) {
      if (statement->kind != StatementKind::declaration) continue;
      const Declaration& declaration = *statement->declaration;
      std::vector<IndexNames>& names = result[declaration.name];
      if (declaration.array_sizes) add_names(*declaration.array_sizes, names_of, names);
      add_names(declaration.declared->sizes, names_of, names);
    }
  }
  return result;
}

}  // namespace dpvi
