#include <dpvi/stan/syntax/syntax_tree.hpp>

namespace dpvi {

DeclaredType::~DeclaredType() = default;

StanType Declaration::type() const {
  const int rank = static_cast<int>(array_sizes->size());
  if (declared->base != StanBase::tuple) return {declared->base, rank};
  std::vector<StanType> parts;
  for (const auto& component : declared->components) parts.push_back(component->type());
  return tuple_type(parts).with_rank(rank);
}

std::string_view symbol_of(Operator op) {
  static constexpr std::array<std::string_view, 23> kSymbols = {
      "",  "||", "&&",  "==", "!=", "<",  "<=", ">",  ">=", "+", "-", "*",
      "/", "%",  "%/%", "\\", ".*", "./", "^",  ".^", "!",  "-", "+"};
  return kSymbols[static_cast<std::size_t>(op)];
}

std::string_view name_of(SpecialType special) {
  static constexpr std::array<std::string_view, 13> kNames = {"",
                                                              "ordered",
                                                              "positive_ordered",
                                                              "simplex",
                                                              "unit_vector",
                                                              "sum_to_zero_vector",
                                                              "cholesky_factor_corr",
                                                              "cholesky_factor_cov",
                                                              "corr_matrix",
                                                              "cov_matrix",
                                                              "sum_to_zero_matrix",
                                                              "column_stochastic_matrix",
                                                              "row_stochastic_matrix"};
  return kNames[static_cast<std::size_t>(special)];
}

std::string_view name_of(BlockKind block) {
  static constexpr std::array<std::string_view, kBlockCount> kNames = {"functions",
                                                                       "data",
                                                                       "transformed data",
                                                                       "parameters",
                                                                       "transformed parameters",
                                                                       "model",
                                                                       "generated quantities"};
  return kNames[static_cast<std::size_t>(block)];
}

std::vector<const StanExpression*> assigned_variables(const StanExpression& target) {
  std::vector<const StanExpression*> variables;
  if (target.kind == ExpressionKind::tuple_literal) {
    for (const ExpressionPtr& part : target.operands) {
      for (const StanExpression* variable : assigned_variables(*part)) {
        variables.push_back(variable);
      }
    }
    return variables;
  }
  const StanExpression* root = &target;
  while (root->kind == ExpressionKind::index || root->kind == ExpressionKind::projection) {
    root = root->operands[0].get();
  }
  return {root};
}

}  // namespace dpvi
