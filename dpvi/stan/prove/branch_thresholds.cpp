#include <dpvi/stan/prove/branch_thresholds.hpp>

#include <algorithm>
#include <cmath>

namespace dpvi {
namespace {

class NumberCollector {
 public:
  explicit NumberCollector(std::size_t most) : most_(most) {}

  void add(double number) {
    if (std::isfinite(number) && numbers_.size() < most_ &&
        std::find(numbers_.begin(), numbers_.end(), number) == numbers_.end()) {
      numbers_.push_back(number);
    }
  }

  void visit(const StanExpression* expression) {
    if (expression == nullptr) return;
    if (expression->kind == ExpressionKind::integer_literal ||
        expression->kind == ExpressionKind::real_literal) {
      add(expression->number);
      add(-expression->number);
    }
    for (const ExpressionPtr& operand : expression->operands) visit(operand.get());
    for (const StanIndex& index : expression->indices) {
      visit(index.low.get());
      visit(index.high.get());
    }
  }

  void visit(const StanStatement& statement) {
    for (const ExpressionPtr* part :
         {&statement.target, &statement.value, &statement.lower, &statement.upper}) {
      visit(part->get());
    }
    for (const ExpressionPtr& argument : statement.arguments) visit(argument.get());
    if (statement.declaration) visit(statement.declaration->initial.get());
    for (const StatementPtr& child : statement.body) visit(*child);
  }

  std::vector<double> take() { return std::move(numbers_); }

 private:
  std::size_t most_;
  std::vector<double> numbers_;
};

}  // namespace

std::vector<double> thresholds(const StanProgram& program, const KnownData& known,
                               std::size_t most) {
  NumberCollector collector(most);
  for (const FunctionDefinition& function : program.functions) {
    if (function.body) collector.visit(*function.body);
  }
  for (const BlockKind kind :
       {BlockKind::transformed_data, BlockKind::transformed_parameters, BlockKind::model}) {
    for (const StatementPtr& statement : program.block(kind).statements) {
      collector.visit(*statement);
    }
  }
  for (const auto& [name, value] : known) {
    for (const double number : value.numbers) collector.add(number);
  }
  return collector.take();
}

}  // namespace dpvi
