#include <dpvi/api/level_names.hpp>

#include <algorithm>

#include <dpvi/stan/syntax/syntax_tree.hpp>

namespace dpvi {
namespace {

using LevelsBySize = std::map<std::string, IndexNames>;

// The levels of the column behind a variable, or none.
IndexNames levels_of(const Binding& binding, const std::string& variable) {
  const auto bound = std::ranges::find(binding.variables, variable, &BoundVariable::name);
  if (bound == binding.variables.end() || bound->base != BaseType::integer || bound->count == 0) {
    return {};
  }
  return binding.columns[binding.integer_slots[bound->first_slot].column].levels;
}

LevelsBySize levels_by_size(const BoundModel& bound) {
  LevelsBySize levels;
  for (const DataVariable& variable : bound.program.binding_request().variables) {
    if (!variable.upper || variable.upper->kind != DeclaredNumber::Kind::size ||
        variable.upper->value != 0) {
      continue;
    }
    const IndexNames names = levels_of(bound.binding, variable.name);
    const auto size = value_of(*variable.upper, bound.binding.public_data);
    if (size == static_cast<double>(names.size())) levels.try_emplace(variable.upper->size, names);
  }
  return levels;
}

void add_names(const std::vector<ExpressionPtr>& sizes, const LevelsBySize& levels,
               std::vector<IndexNames>& names) {
  for (const ExpressionPtr& size : sizes) {
    const bool named = size && size->kind == ExpressionKind::variable;
    const auto found = named ? levels.find(size->name) : levels.end();
    names.push_back(found == levels.end() ? IndexNames{} : found->second);
  }
}

}  // namespace

std::map<std::string, std::vector<IndexNames>> level_names(const BoundModel& bound) {
  const LevelsBySize levels = levels_by_size(bound);
  std::map<std::string, std::vector<IndexNames>> result;
  const StanProgram& program = bound.program.inputs().program.program;
  for (const BlockKind block : {BlockKind::parameters, BlockKind::transformed_parameters,
                                BlockKind::generated_quantities}) {
    for (const StatementPtr& statement : program.block(block).statements) {
      if (statement->kind != StatementKind::declaration) continue;
      const Declaration& declaration = *statement->declaration;
      std::vector<IndexNames>& names = result[declaration.name];
      if (declaration.array_sizes) add_names(*declaration.array_sizes, levels, names);
      add_names(declaration.declared->sizes, levels, names);
    }
  }
  return result;
}

}  // namespace dpvi
