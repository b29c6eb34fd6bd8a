#include <dpvi/api/indexed_levels.hpp>

#include <algorithm>
#include <utility>

namespace dpvi {
namespace {

// Walks through the statements of a program and notes what its variables are indexed by.
class IndexReader {
 public:
  explicit IndexReader(const Binding& binding) : binding_(binding) {}

  void read(const StanStatement& statement) {
    for (const ExpressionPtr* part :
         {&statement.target, &statement.value, &statement.lower, &statement.upper}) {
      read(*part);
    }
    read_all(statement.arguments);
    if (statement.declaration) read(statement.declaration->initial);
    for (const StatementPtr& inner : statement.body) {
      if (inner) read(*inner);
    }
  }

  IndexedLevels take() { return std::move(found_); }

 private:
  void read_all(const std::vector<ExpressionPtr>& expressions) {
    for (const ExpressionPtr& expression : expressions) read(expression);
  }

  void read(const ExpressionPtr& expression) {
    if (!expression) return;
    read_all(expression->operands);
    for (const StanIndex& index : expression->indices) {
      read(index.low);
      read(index.high);
    }
    if (expression->kind == ExpressionKind::index) note_indices(*expression);
  }

  // The first dimension that an index after `base` selects from.
  static std::size_t first_dimension(const StanExpression& base) {
    if (base.kind != ExpressionKind::index) return 0;
    return base.indices.size() + first_dimension(*base.operands.front());
  }

  static const StanExpression& innermost(const StanExpression& base) {
    return base.kind == ExpressionKind::index ? innermost(*base.operands.front()) : base;
  }

  static bool selects_single(const StanExpression& base) {
    if (base.kind != ExpressionKind::index) return true;
    return std::ranges::all_of(base.indices,
                               [](const auto& index) { return index.kind == IndexKind::single; }) &&
           selects_single(*base.operands.front());
  }

  void note_indices(const StanExpression& expression) {
    const StanExpression& base = *expression.operands.front();
    if (!selects_single(base)) return;  // later indices may select from an earlier dimension
    std::size_t dimension = first_dimension(base);
    for (const StanIndex& index : expression.indices) {
      if (index.kind == IndexKind::single && index.low) {
        const StanExpression& by = innermost(*index.low);
        if (by.kind == ExpressionKind::variable) {
          note(innermost(base), dimension, levels_of(binding_, by.name));
        }
      }
      ++dimension;
    }
  }

  void note(const StanExpression& indexed, std::size_t dimension, IndexNames levels) {
    if (levels.empty()) return;
    const StanExpression* variable = &indexed;
    if (is_against_first_level(indexed) && dimension == 0) {
      variable = indexed.operands[1].get();
      levels.erase(levels.begin());
    }
    if (variable->kind != ExpressionKind::variable) return;
    const auto [place, is_new] = found_[variable->name].try_emplace(dimension, levels);
    if (!is_new && place->second != levels) place->second.clear();
  }

  // append_row(0, b)
  static bool is_against_first_level(const StanExpression& expression) {
    return expression.kind == ExpressionKind::call && expression.name == "append_row" &&
           expression.operands.size() == 2 &&
           expression.operands[0]->kind == ExpressionKind::integer_literal;
  }

  const Binding& binding_;
  IndexedLevels found_;
};

}  // namespace

IndexNames levels_of(const Binding& binding, const std::string& variable) {
  const auto bound = std::ranges::find(binding.variables, variable, &BoundVariable::name);
  if (bound == binding.variables.end() || bound->base != BaseType::integer || bound->count == 0) {
    return {};
  }
  return binding.columns[binding.integer_slots[bound->first_slot].column].levels;
}

IndexedLevels indexed_levels(const StanProgram& program, const Binding& binding) {
  IndexReader reader(binding);
  for (const BlockKind block :
       {BlockKind::transformed_parameters, BlockKind::model, BlockKind::generated_quantities}) {
    for (const StatementPtr& statement : program.block(block).statements) reader.read(*statement);
  }
  return reader.take();
}

}  // namespace dpvi
