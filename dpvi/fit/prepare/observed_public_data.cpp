#include <dpvi/fit/prepare/observed_public_data.hpp>

#include <algorithm>

#include <dpvi/stan/types/density_table.hpp>

namespace dpvi {
namespace {

class ObservationFinder {
 public:
  explicit ObservationFinder(const DataBlock& data) : data_(data) {}

  void visit(const StanStatement& statement) {
    if (statement.kind == StatementKind::tilde) note(*statement.target);
    for (const ExpressionPtr* part :
         {&statement.target, &statement.value, &statement.lower, &statement.upper}) {
      if (*part) visit(**part);
    }
    for (const ExpressionPtr& argument : statement.arguments) visit(*argument);
    if (statement.declaration && statement.declaration->initial) {
      visit(*statement.declaration->initial);
    }
    for (const StatementPtr& child : statement.body) visit(*child);
  }

  std::vector<ObservedPublicData> take() { return std::move(found_); }

 private:
  void visit(const StanExpression& expression) {
    const bool density =
        expression.kind == ExpressionKind::call && has_density_suffix(expression.name);
    if (density && !expression.operands.empty()) note(*expression.operands[0]);
    for (const ExpressionPtr& operand : expression.operands) visit(*operand);
  }

  void note(const StanExpression& observed) {
    const StanExpression* root = &observed;
    while (root->kind == ExpressionKind::index) root = root->operands[0].get();
    if (root->kind != ExpressionKind::variable) return;
    const DataBlockVariable* variable = data_.find(root->name);
    const bool counted = variable != nullptr && variable->role == DataRole::known &&
                         !variable->sizes.empty() && !variable->sizes[0].size.empty() &&
                         variable->declaration->slot == root->slot;
    const auto known = [&](const ObservedPublicData& one) { return one.variable == variable; };
    if (!counted || std::any_of(found_.begin(), found_.end(), known)) return;
    found_.push_back({variable, observed.spot});
  }

  const DataBlock& data_;
  std::vector<ObservedPublicData> found_;
};

}  // namespace

std::vector<ObservedPublicData> observed_public_data(const StanProgram& program,
                                                     const DataBlock& data) {
  ObservationFinder finder(data);
  for (const BlockKind kind : {BlockKind::transformed_parameters, BlockKind::model}) {
    for (const StatementPtr& statement : program.block(kind).statements) finder.visit(*statement);
  }
  return finder.take();
}

}  // namespace dpvi
