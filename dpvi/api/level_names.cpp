#include <dpvi/api/level_names.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>

#include <dpvi/api/indexed_levels.hpp>
#include <dpvi/data/public_data.hpp>
#include <dpvi/stan/syntax/syntax_tree.hpp>

namespace dpvi {
namespace {

using NamesBySize = std::map<std::string, IndexNames>;

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

// The size of a dimension if it is a number or a public value.
std::optional<double> size_of(const ExpressionPtr& size, const BoundModel& bound) {
  if (!size) return std::nullopt;
  if (size->kind == ExpressionKind::integer_literal) return size->number;
  if (size->kind != ExpressionKind::variable) return std::nullopt;
  return value_of(DeclaredNumber::size_plus(size->name), bound.binding.public_data);
}

// Names for the dimensions of a variable, in the order of its indices.
class DimensionNames {
 public:
  explicit DimensionNames(const BoundModel& bound)
      : bound_(bound),
        by_size_(names_by_size(bound)),
        by_index_(indexed_levels(bound.program.inputs().program.program, bound.binding)) {}

  std::vector<IndexNames> of(const Declaration& declaration) const {
    std::vector<IndexNames> names;
    for (const auto* sizes : {declaration.array_sizes.get(), &declaration.declared->sizes}) {
      if (sizes == nullptr) continue;
      for (const ExpressionPtr& size : *sizes) {
        names.push_back(of_size(size));
        if (names.back().empty()) {
          names.back() = of_index(declaration.name, names.size() - 1, size_of(size, bound_));
        }
      }
    }
    return names;
  }

 private:
  IndexNames of_size(const ExpressionPtr& size) const {
    const bool named = size && size->kind == ExpressionKind::variable;
    const auto found = named ? by_size_.find(size->name) : by_size_.end();
    return found == by_size_.end() ? IndexNames{} : found->second;
  }

  IndexNames of_index(const std::string& variable, std::size_t dimension,
                      std::optional<double> size) const {
    const auto indexed = by_index_.find(variable);
    if (indexed == by_index_.end()) return {};
    const auto names = indexed->second.find(dimension);
    if (names == indexed->second.end()) return {};
    return size == static_cast<double>(names->second.size()) ? names->second : IndexNames{};
  }

  const BoundModel& bound_;
  NamesBySize by_size_;
  IndexedLevels by_index_;
};

}  // namespace

std::map<std::string, std::vector<IndexNames>> level_names(const BoundModel& bound) {
  const DimensionNames names(bound);
  std::map<std::string, std::vector<IndexNames>> result;
  const StanProgram& program = bound.program.inputs().program.program;
  for (const BlockKind block : {BlockKind::parameters, BlockKind::transformed_parameters,
                                BlockKind::generated_quantities}) {
    for (const StatementPtr& statement : program.block(block).statements) {
      if (statement->kind != StatementKind::declaration) continue;
      const Declaration& declaration = *statement->declaration;
      result[declaration.name] = names.of(declaration);
    }
  }
  return result;
}

}  // namespace dpvi
