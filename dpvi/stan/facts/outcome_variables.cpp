#include <dpvi/stan/facts/outcome_variables.hpp>

#include <set>

namespace dpvi {
namespace {

// Collects the slots of variables on the outcome side of densities. A marked variable passes the
// mark on to the variables in the values assigned to it.
class OutcomeFinder {
 public:
  void visit(const StanStatement& statement) {
    if (statement.kind == StatementKind::tilde) mark_all(*statement.target);
    if (statement.kind == StatementKind::declaration) visit(*statement.declaration);
    for (const StanExpression* part :
         {statement.value.get(), statement.lower.get(), statement.upper.get()}) {
      if (part != nullptr) visit(*part);
    }
    if (statement.kind == StatementKind::assignment) pass_on(*statement.target, *statement.value);
    if (statement.kind == StatementKind::for_each && explained(statement.slot)) {
      mark_all(*statement.value);
    }
    for (const StatementPtr& child : statement.body) visit(*child);
  }

  bool explained(int slot) const { return slots_.contains(slot); }
  std::size_t count() const { return slots_.size(); }

 private:
  void visit(const Declaration& declaration) {
    if (!declaration.initial) return;
    visit(*declaration.initial);
    if (explained(declaration.slot)) mark_all(*declaration.initial);
  }

  void visit(const StanExpression& expression) {
    if (expression.kind == ExpressionKind::call &&
        (expression.with_bar || expression.over_slices)) {
      mark_all(*expression.operands[0]);
    }
    for (const ExpressionPtr& operand : expression.operands) visit(*operand);
  }

  void pass_on(const StanExpression& target, const StanExpression& value) {
    for (const StanExpression* variable : assigned_variables(target)) {
      if (explained(variable->slot)) mark_all(value);
    }
  }

  // Does not mark variables inside an index: the outcome in y[group[n]] is y.
  void mark_all(const StanExpression& expression) {
    if (expression.kind == ExpressionKind::variable) slots_.insert(expression.slot);
    for (const ExpressionPtr& operand : expression.operands) mark_all(*operand);
  }

  std::set<int> slots_;
};

}  // namespace

std::vector<std::string> outcome_variables(const StanProgram& program, const DataBlock& data) {
  OutcomeFinder finder;
  std::size_t before = 0;
  do {
    before = finder.count();
    for (const BlockKind kind : {BlockKind::transformed_data, BlockKind::model}) {
      for (const StatementPtr& statement : program.block(kind).statements) {
        finder.visit(*statement);
      }
    }
  } while (finder.count() > before);
  std::vector<std::string> names;
  for (const DataBlockVariable& variable : data.variables) {
    if (variable.role == DataRole::record && finder.explained(variable.declaration->slot)) {
      names.push_back(variable.declaration->name);
    }
  }
  return names;
}

}  // namespace dpvi
