#include <dpvi/stan/facts/neighbour_reads.hpp>

#include <set>

namespace dpvi {
namespace {

class NeighbourFinder {
 public:
  explicit NeighbourFinder(std::string record_count) : record_count_(std::move(record_count)) {}

  void declare(const Declaration& declaration) {
    const std::vector<ExpressionPtr>& sizes =
        declaration.array_sizes->empty() ? declaration.declared->sizes : *declaration.array_sizes;
    if (!sizes.empty() && sizes[0]->kind == ExpressionKind::variable &&
        sizes[0]->name == record_count_) {
      led_by_count_.insert(declaration.slot);
    }
  }

  void visit(const StanStatement& statement) {
    if (statement.declaration) {
      declare(*statement.declaration);
      visit(statement.declaration->initial.get());
    }
    for (const ExpressionPtr* part :
         {&statement.target, &statement.value, &statement.lower, &statement.upper}) {
      visit(part->get());
    }
    for (const ExpressionPtr& argument : statement.arguments) visit(argument.get());
    if (statement.kind == StatementKind::for_range) loops_.insert(statement.slot);
    for (const StatementPtr& child : statement.body) visit(*child);
    if (statement.kind == StatementKind::for_range) loops_.erase(statement.slot);
  }

  std::vector<Spot> take() { return std::move(found_); }

 private:
  void visit(const StanExpression* expression) {
    if (expression == nullptr) return;
    if (expression->kind == ExpressionKind::index && reads_neighbour(*expression)) {
      found_.push_back(expression->spot);
    }
    for (const ExpressionPtr& operand : expression->operands) visit(operand.get());
    for (const StanIndex& index : expression->indices) {
      visit(index.low.get());
      visit(index.high.get());
    }
  }

  bool reads_neighbour(const StanExpression& expression) const {
    const StanExpression& base = *expression.operands[0];
    const StanIndex& first = expression.indices[0];
    return base.kind == ExpressionKind::variable && led_by_count_.contains(base.slot) &&
           first.kind == IndexKind::single && steps_aside(*first.low);
  }

  // True for a loop variable plus or minus a constant: n - 1, n + 2, 1 + n.
  bool steps_aside(const StanExpression& place) const {
    if (place.kind != ExpressionKind::binary) return false;
    if (place.op != Operator::add && place.op != Operator::subtract) return false;
    const auto is_loop = [&](const StanExpression& part) {
      return part.kind == ExpressionKind::variable && loops_.contains(part.slot);
    };
    const auto is_step = [](const StanExpression& part) {
      return part.kind == ExpressionKind::integer_literal && part.number != 0;
    };
    const StanExpression& left = *place.operands[0];
    const StanExpression& right = *place.operands[1];
    return (is_loop(left) && is_step(right)) || (is_step(left) && is_loop(right));
  }

  std::string record_count_;
  std::set<int> led_by_count_;
  std::set<int> loops_;
  std::vector<Spot> found_;
};

}  // namespace

std::vector<Spot> neighbour_reads(const StanProgram& program, const DataBlock& data) {
  std::string record_count;
  for (const DataBlockVariable& variable : data.variables) {
    if (variable.role == DataRole::record_count) record_count = variable.declaration->name;
  }
  NeighbourFinder finder(record_count);
  for (const DataBlockVariable& variable : data.variables) finder.declare(*variable.declaration);
  for (const BlockKind kind :
       {BlockKind::transformed_data, BlockKind::transformed_parameters, BlockKind::model}) {
    for (const StatementPtr& statement : program.block(kind).statements) finder.visit(*statement);
  }
  return finder.take();
}

}  // namespace dpvi
