#include <dpvi/fit/check/record_reads.hpp>

#include <algorithm>
#include <set>

#include <dpvi/stan/facts/record_dependence.hpp>

namespace dpvi {
namespace {

// Tracks dependence on records through the local variables of the model block.
class ModelBlockDependence {
 public:
  ModelBlockDependence(const StanProgram& program, const DataBlock& data)
      : dependence_(program, data, true), statements_(program.block(BlockKind::model).statements) {
    std::size_t before = 0;
    do {
      before = filled_.size();
      for (const StatementPtr& statement : statements_) follow(*statement, false);
    } while (filled_.size() > before);
  }

  bool reads(Spot spot) const { return any_reads(statements_, spot); }

 private:
  bool depends(const StanExpression& expression) const {
    if (expression.kind == ExpressionKind::variable) {
      return filled_.contains(expression.slot) || dependence_.on_records(expression);
    }
    const auto below = [&](const ExpressionPtr& part) { return part && depends(*part); };
    return std::any_of(expression.operands.begin(), expression.operands.end(), below) ||
           std::any_of(
               expression.indices.begin(), expression.indices.end(),
               [&](const StanIndex& index) { return below(index.low) || below(index.high); });
  }
  bool depends(const ExpressionPtr& expression) const { return expression && depends(*expression); }

  void fill(const StanExpression& target) {
    if (target.kind == ExpressionKind::variable) filled_.insert(target.slot);
    if (target.kind == ExpressionKind::tuple_literal) {
      for (const ExpressionPtr& part : target.operands) fill(*part);
    } else if (!target.operands.empty()) {
      fill(*target.operands[0]);
    }
  }

  // `around` is true if records decide whether the statement runs.
  void follow(const StanStatement& statement, bool around) {
    const bool condition =
        depends(statement.value) || depends(statement.lower) || depends(statement.upper);
    if (statement.kind == StatementKind::assignment) {
      if (around || condition || depends(statement.target)) fill(*statement.target);
    } else if (statement.kind == StatementKind::declaration) {
      const Declaration& declaration = *statement.declaration;
      if (depends(declaration.initial)) filled_.insert(declaration.slot);
    } else if (statement.slot >= 0 && condition) {
      filled_.insert(statement.slot);
    }
    for (const StatementPtr& child : statement.body) follow(*child, around || condition);
  }

  bool any_reads(const std::vector<StatementPtr>& list, Spot spot) const {
    return std::any_of(list.begin(), list.end(), [&](const StatementPtr& one) {
      const bool here = one->spot.line == spot.line && one->spot.column == spot.column;
      const auto part = [&](const ExpressionPtr& expression) { return depends(expression); };
      if (here && (part(one->target) || part(one->value) ||
                   std::any_of(one->arguments.begin(), one->arguments.end(), part))) {
        return true;
      }
      return any_reads(one->body, spot);
    });
  }

  RecordDependence dependence_;
  const std::vector<StatementPtr>& statements_;
  std::set<int> filled_;  // slots of variables that depend on records
};

}  // namespace

bool reads_records(const StanProgram& program, const DataBlock& data, Spot spot) {
  return ModelBlockDependence(program, data).reads(spot);
}

}  // namespace dpvi
