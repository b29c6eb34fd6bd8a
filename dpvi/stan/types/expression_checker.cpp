#include <dpvi/stan/types/expression_checker.hpp>

#include <fmt/format.h>

#include <dpvi/stan/syntax/suggestion.hpp>
#include <dpvi/stan/types/density_table.hpp>
#include <dpvi/stan/types/deprecated_syntax.hpp>
#include <dpvi/stan/types/type_rules.hpp>
#include <dpvi/stan/types/unsupported_functions.hpp>

namespace dpvi {

bool CheckContext::allows_random() const {
  if (function != nullptr) return function->name.ends_with("_rng");
  return block == BlockKind::transformed_data || block == BlockKind::generated_quantities;
}

bool CheckContext::allows_target() const {
  if (function != nullptr) return function->name.ends_with("_lp");
  return block == BlockKind::model;
}

bool CheckContext::allows_jacobian() const {
  if (function != nullptr) return function->name.ends_with("_jacobian");
  return block == BlockKind::transformed_parameters;
}

StanType ExpressionChecker::check(StanExpression& expression) {
  expression.type = type_of(expression);
  return expression.type;
}

void ExpressionChecker::check_int(StanExpression& expression, std::string_view what) {
  const StanType type = check(expression);
  if (type.is_error() || type.is_int()) return;
  findings_.error(kModelType, expression.spot,
                  fmt::format("{} must be an int; this is {}.", what, to_string(type)));
}

StanType ExpressionChecker::type_of(StanExpression& expression) {
  if (expression.kind == ExpressionKind::call && !lookup_.user_has(expression.name)) {
    spell_as_today(expression);
  }
  switch (expression.kind) {
    case ExpressionKind::integer_literal:
      return kIntType;
    case ExpressionKind::real_literal:
      return kRealType;
    case ExpressionKind::variable:
      return variable_type(expression);
    case ExpressionKind::call:
      return call_type(expression);
    case ExpressionKind::index:
      return index_type(expression);
    case ExpressionKind::unary:
    case ExpressionKind::binary:
    case ExpressionKind::transpose:
      return operator_type(expression);
    case ExpressionKind::conditional:
      return conditional_type(expression);
    case ExpressionKind::array_literal:
      return array_type(expression);
    case ExpressionKind::row_vector_literal:
      return row_vector_type(expression);
    case ExpressionKind::tuple_literal:
      return tuple_literal_type(expression);
    case ExpressionKind::projection:
      return projection_type(expression);
    case ExpressionKind::target_value:
      break;
  }
  if (!context_.allows_target() && !context_.allows_jacobian()) {
    findings_.error(kModelRule, expression.spot, "target() can be read in the model block only.");
  }
  return kRealType;
}

StanType ExpressionChecker::variable_type(StanExpression& expression) {
  const VariableEntry* found = scopes_.find(expression.name);
  if (found == nullptr) {
    findings_.error(kModelName, expression.spot,
                    fmt::format("No variable '{}' is known here.", expression.name),
                    did_you_mean(expression.name, scopes_.names()));
    return kErrorType;
  }
  expression.slot = found->slot;
  return found->type;
}

StanType ExpressionChecker::operator_type(StanExpression& expression) {
  const StanType left = check(*expression.operands[0]);
  if (expression.kind == ExpressionKind::binary) {
    const StanType right = check(*expression.operands[1]);
    if (const auto result = binary_type(expression.op, left, right)) return *result;
    findings_.error(kModelType, expression.spot,
                    fmt::format("Operator '{}' does not take {} and {}.", symbol_of(expression.op),
                                to_string(left), to_string(right)));
    return kErrorType;
  }
  const bool transpose = expression.kind == ExpressionKind::transpose;
  if (const auto result = transpose ? transposed_type(left) : unary_type(expression.op, left)) {
    return *result;
  }
  findings_.error(kModelType, expression.spot,
                  fmt::format("Operator '{}' does not take {}.",
                              transpose ? "'" : symbol_of(expression.op), to_string(left)));
  return kErrorType;
}

StanType ExpressionChecker::conditional_type(StanExpression& expression) {
  check_int(*expression.operands[0], "The condition of '?:'");
  const StanType yes = check(*expression.operands[1]);
  const StanType no = check(*expression.operands[2]);
  const StanType result = common_type(yes, no);
  if (result.is_error() && !yes.is_error() && !no.is_error()) {
    findings_.error(
        kModelType, expression.spot,
        fmt::format("The two values of '?:' have types {} and {}.", to_string(yes), to_string(no)));
  }
  return result;
}

bool ExpressionChecker::index_keeps_dimension(StanIndex& index) {
  if (index.kind != IndexKind::single) {
    if (index.low) check_int(*index.low, "The end of a range");
    if (index.high) check_int(*index.high, "The end of a range");
    return true;
  }
  const StanType type = check(*index.low);
  if (type.is_error() || type.is_int()) return false;
  if (type == StanType{StanBase::integer, 1}) return true;
  findings_.error(
      kModelType, index.spot,
      fmt::format("An index must be an int or an array of ints; this is {}.", to_string(type)));
  return false;
}

StanType ExpressionChecker::index_type(StanExpression& expression) {
  const StanType base = check(*expression.operands[0]);
  std::vector<bool> keeps;
  for (StanIndex& index : expression.indices) keeps.push_back(index_keeps_dimension(index));
  if (base.is_error()) return kErrorType;
  if (static_cast<int>(keeps.size()) > base.rank()) {
    findings_.error(kModelType, expression.spot,
                    fmt::format("{} indices for a value of type {}, which takes at most {}.",
                                keeps.size(), to_string(base), base.rank()));
    return kErrorType;
  }
  return indexed_type(base, keeps);
}

void ExpressionChecker::check_call_place(std::string_view name, Spot spot) {
  if (name.ends_with("_rng") && !context_.allows_random()) {
    findings_.error(kModelRule, spot,
                    fmt::format("'{}' draws random numbers; that is allowed in transformed data, "
                                "generated quantities and functions ending in _rng only.",
                                name));
  }
  if (name.ends_with("_jacobian") && !context_.allows_jacobian()) {
    findings_.error(kModelRule, spot,
                    fmt::format("'{}' changes the density; that is allowed in transformed "
                                "parameters and functions ending in _jacobian only.",
                                name));
  }
  const bool lp = name.ends_with("_lp") && name != "target";
  if (lp && !context_.allows_target() && !context_.allows_jacobian()) {
    findings_.error(kModelRule, spot,
                    fmt::format("'{}' changes the target; that is allowed in the model block and "
                                "functions ending in _lp only.",
                                name));
  }
}

// reduce_sum(f, x, grainsize, ...) is f(x, 1, size(x), ...), because dpvi decides itself how to
// split the sum.
StanType ExpressionChecker::reduce_sum_type(StanExpression& expression) {
  std::vector<ExpressionPtr>& operands = expression.operands;
  expression.name = operands[0]->name;
  check_int(*operands[2], "The grain size");
  operands.erase(operands.begin() + 2);
  operands.erase(operands.begin());
  std::vector<StanType> arguments;
  for (const ExpressionPtr& operand : operands) arguments.push_back(check(*operand));
  arguments.insert(arguments.begin() + 1, 2, kIntType);
  CallProblem problem;
  const auto resolved = lookup_.resolve(expression.name, arguments, problem);
  if (!resolved) {
    findings_.error(*problem.code, expression.spot, problem.message, problem.hint);
    return kErrorType;
  }
  if (resolved->function < 0 || !(resolved->result == kRealType)) {
    findings_.error(kModelType, expression.spot,
                    "reduce_sum needs a function of the program that returns real.");
    return kErrorType;
  }
  expression.over_slices = true;
  expression.function = resolved->function;
  note_call(resolved->function);
  return kRealType;
}

StanType ExpressionChecker::call_type(StanExpression& expression) {
  const bool reduces = expression.name == "reduce_sum" || expression.name == "reduce_sum_static";
  if (reduces && expression.operands.size() >= 3 &&
      expression.operands[0]->kind == ExpressionKind::variable) {
    return reduce_sum_type(expression);
  }
  const std::string& name = expression.name;
  // Solvers take functions as arguments. The message about the unsupported solver is enough.
  std::vector<StanExpression*> functions;
  std::vector<StanType> arguments;
  for (const ExpressionPtr& operand : expression.operands) {
    const bool function = operand->kind == ExpressionKind::variable &&
                          lookup_.user_has(operand->name) && !why_unsupported(name).empty();
    if (function) functions.push_back(operand.get());
    arguments.push_back(function ? kErrorType : check(*operand));
  }
  check_call_place(name, expression.spot);
  CallProblem problem;
  const auto resolved = lookup_.resolve(name, arguments, problem);
  if (!resolved) {
    findings_.error(*problem.code, expression.spot, problem.message, problem.hint);
    return kErrorType;
  }
  for (StanExpression* const function : functions) check(*function);
  const bool density = has_density_suffix(name);
  // Before Stan 2.26 a _cdf was written with commas.
  if (density && !expression.with_bar && arguments.size() > 1 && !name.ends_with("_cdf")) {
    findings_.error(kModelSyntax, expression.spot,
                    fmt::format("'{}' needs a '|' after its first argument.", name));
  }
  if (!density && expression.with_bar) {
    findings_.error(kModelSyntax, expression.spot,
                    fmt::format("'{}' is not a density and takes no '|'.", name));
  }
  expression.function = resolved->function;
  note_call(resolved->function);
  return resolved->result;
}

StanType ExpressionChecker::array_type(StanExpression& expression) {
  StanType element = check(*expression.operands[0]);
  for (std::size_t i = 1; i < expression.operands.size(); ++i) {
    const StanType next = check(*expression.operands[i]);
    const StanType joint = common_type(element, next);
    if (joint.is_error() && !element.is_error() && !next.is_error()) {
      findings_.error(
          kModelType, expression.operands[i]->spot,
          fmt::format("An array of {} cannot hold {}.", to_string(element), to_string(next)));
      return kErrorType;
    }
    element = joint;
  }
  return element.is_error() ? kErrorType : element.with_rank(element.array_rank + 1);
}

StanType ExpressionChecker::tuple_literal_type(StanExpression& expression) {
  std::vector<StanType> parts;
  bool known = true;
  for (const ExpressionPtr& operand : expression.operands) {
    parts.push_back(check(*operand));
    known = known && !parts.back().is_error();
    if (!(parts.back() == kVoidType)) continue;
    findings_.error(kModelType, operand->spot, "A tuple cannot hold a call without a value.");
    known = false;
  }
  return known ? tuple_type(parts) : kErrorType;
}

StanType ExpressionChecker::projection_type(StanExpression& expression) {
  const StanType base = check(*expression.operands[0]);
  if (base.is_error()) return kErrorType;
  if (base.base != StanBase::tuple || base.is_array()) {
    findings_.error(kModelType, expression.spot,
                    fmt::format("'.{}' is a component of a tuple; this is {}.", expression.number,
                                to_string(base)),
                    base.base == StanBase::tuple ? "Index the array first: x[i].1" : "");
    return kErrorType;
  }
  const std::span<const StanType> parts = tuple_parts(base);
  const auto at = static_cast<std::size_t>(expression.number);
  if (at >= 1 && at <= parts.size()) return parts[at - 1];
  findings_.error(kModelType, expression.spot,
                  fmt::format("{} has {} components; there is no component {}.", to_string(base),
                              parts.size(), expression.number));
  return kErrorType;
}

StanType ExpressionChecker::row_vector_type(StanExpression& expression) {
  bool rows = false;
  bool scalars = false;
  for (const ExpressionPtr& operand : expression.operands) {
    const StanType type = check(*operand);
    rows = rows || type == kRowVectorType;
    scalars = scalars || type.is_scalar();
    if (!type.is_error() && !type.is_scalar() && type != kRowVectorType) {
      findings_.error(kModelType, operand->spot,
                      fmt::format("[...] holds numbers or row vectors, not {}.", to_string(type)));
      return kErrorType;
    }
  }
  if (rows && scalars) {
    findings_.error(kModelType, expression.spot, "[...] holds numbers or row vectors, not both.");
    return kErrorType;
  }
  return rows ? kMatrixType : kRowVectorType;
}

}  // namespace dpvi
