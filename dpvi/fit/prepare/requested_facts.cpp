#include <dpvi/fit/prepare/requested_facts.hpp>

#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace dpvi {
namespace {

class FactFinder {
 public:
  explicit FactFinder(const DataBlock& data) : data_(data) {}

  void visit(const StanStatement& statement) {
    for (const ExpressionPtr* part :
         {&statement.target, &statement.value, &statement.lower, &statement.upper}) {
      visit(*part);
    }
    for (const ExpressionPtr& argument : statement.arguments) visit(argument);
    if (statement.declaration) visit(statement.declaration->initial);
    for (const StatementPtr& child : statement.body) visit(*child);
  }

  RequestedFacts take() { return std::move(found_); }

 private:
  void visit(const ExpressionPtr& expression) {
    if (!expression) return;
    if (expression->kind == ExpressionKind::call && expression->operands.size() == 1) {
      note(expression->name, *expression->operands[0]);
    }
    for (const ExpressionPtr& operand : expression->operands) visit(operand);
    for (const StanIndex& index : expression->indices) {
      visit(index.low);
      visit(index.high);
    }
  }

  void note(std::string_view function, const StanExpression& argument) {
    static constexpr std::pair<std::string_view, const char*> kFacts[] = {
        {"mean", "mean"}, {"sd", "sd"}, {"variance", "sd"}, {"min", "lower"}, {"max", "upper"}};
    const StanExpression* root = &argument;
    while (root->kind == ExpressionKind::index || root->kind == ExpressionKind::call) {
      if (root->operands.empty()) return;  // unwraps to_vector(x), col(x, k), x[, k]
      root = root->operands[0].get();
    }
    if (root->kind != ExpressionKind::variable) return;
    const DataBlockVariable* variable = data_.find(root->name);
    if (variable == nullptr || variable->role != DataRole::record ||
        variable->declaration->slot != root->slot) {
      return;
    }
    for (const auto& [name, fact] : kFacts) {
      if (function == name) found_[root->name].insert(fact);
    }
  }

  const DataBlock& data_;
  RequestedFacts found_;
};

}  // namespace

RequestedFacts requested_facts(const StanProgram& program, const DataBlock& data) {
  FactFinder finder(data);
  for (const BlockKind kind : {BlockKind::transformed_data, BlockKind::transformed_parameters,
                               BlockKind::model, BlockKind::generated_quantities}) {
    for (const StatementPtr& statement : program.block(kind).statements) finder.visit(*statement);
  }
  return finder.take();
}

namespace {

bool is_declared(const RecordFacts& declared, const std::string& variable,
                 const std::string& fact) {
  static constexpr std::pair<std::string_view, std::optional<double> ColumnFacts::*> kMembers[] = {
      {"mean", &ColumnFacts::mean},
      {"sd", &ColumnFacts::sd},
      {"lower", &ColumnFacts::lower},
      {"upper", &ColumnFacts::upper}};
  const auto found = declared.find(variable);
  if (found == declared.end() || found->second.empty()) return false;
  for (const auto& [name, member] : kMembers) {
    if (fact != name) continue;
    return std::all_of(found->second.begin(), found->second.end(),
                       [&](const ColumnFacts& column) { return (column.*member).has_value(); });
  }
  return false;
}

}  // namespace

InputError with_all_facts(const InputError& error, const StanProgram& program,
                          const DataBlock& data, const RecordFacts& declared) {
  std::vector<std::string> missing;
  for (const auto& [variable, facts] : requested_facts(program, data)) {
    for (const std::string& fact : facts) {
      if (is_declared(declared, variable, fact)) continue;
      missing.push_back(fmt::format("{} of '{}'", fact, variable));
    }
  }
  if (missing.size() < 2) return error;
  return InputError(error.code(), error.message(),
                    fmt::format("{} The program needs these undeclared facts: {}.", error.hint(),
                                fmt::join(missing, ", ")),
                    error.place());
}

}  // namespace dpvi
