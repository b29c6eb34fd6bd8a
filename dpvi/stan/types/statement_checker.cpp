#include <dpvi/stan/types/statement_checker.hpp>

#include <set>

#include <fmt/format.h>

#include <dpvi/stan/syntax/expression_text.hpp>
#include <dpvi/stan/types/density_table.hpp>
#include <dpvi/stan/types/type_rules.hpp>

namespace dpvi {
namespace {

VariableOrigin origin_in(BlockKind block) {
  switch (block) {
    case BlockKind::data:
      return VariableOrigin::data;
    case BlockKind::transformed_data:
      return VariableOrigin::transformed_data;
    case BlockKind::parameters:
      return VariableOrigin::parameters;
    case BlockKind::transformed_parameters:
      return VariableOrigin::transformed_parameters;
    case BlockKind::generated_quantities:
      return VariableOrigin::generated_quantities;
    default:
      return VariableOrigin::local;
  }
}

}  // namespace

void StatementChecker::declare_name(const std::string& name, Spot spot, StanType type,
                                    VariableOrigin origin, int& slot) {
  if (scopes_.find(name) != nullptr) {
    findings_.error(kModelName, spot, fmt::format("The name '{}' is already in use.", name),
                    "Choose another.");
  }
  slot = scopes_.declare(name, type, origin);
}

void StatementChecker::check_top_level(StanStatement& statement) {
  const bool only_declarations =
      context_.block == BlockKind::data || context_.block == BlockKind::parameters;
  if (statement.kind == StatementKind::declaration) {
    check_declaration(*statement.declaration, origin_in(context_.block));
  } else if (only_declarations && statement.kind != StatementKind::skip) {
    findings_.error(kModelRule, statement.spot,
                    fmt::format("The {} block holds declarations only.", name_of(context_.block)));
  } else {
    check(statement);
  }
}

void StatementChecker::check(StanStatement& statement) {
  switch (statement.kind) {
    case StatementKind::declaration:
      return check_declaration(*statement.declaration, VariableOrigin::local);
    case StatementKind::assignment:
      return check_assignment(statement);
    case StatementKind::tilde:
      return check_tilde(statement);
    case StatementKind::target_plus:
    case StatementKind::jacobian_plus:
      return check_increment(statement);
    case StatementKind::call:
      return check_call(statement);
    case StatementKind::if_else:
      expressions_.check_int(*statement.value, "A condition");
      return check_body(statement);
    case StatementKind::for_range:
    case StatementKind::for_each:
    case StatementKind::while_loop:
      return check_loop(statement);
    case StatementKind::block:
    case StatementKind::profile:
      return check_body(statement);
    case StatementKind::break_loop:
    case StatementKind::continue_loop:
      if (context_.loops == 0) {
        findings_.error(kModelRule, statement.spot, "'break' and 'continue' belong in a loop.");
      }
      return;
    case StatementKind::return_value:
      return check_return(statement);
    case StatementKind::print:
    case StatementKind::reject:
    case StatementKind::fatal_error:
      for (const ExpressionPtr& argument : statement.arguments) expressions_.check(*argument);
      return;
    case StatementKind::skip:
      return;
  }
}

void StatementChecker::check_body(StanStatement& statement) {
  scopes_.push();
  for (const StatementPtr& child : statement.body) {
    const bool own_scope = statement.kind == StatementKind::if_else;
    if (own_scope) scopes_.push();
    check(*child);
    if (own_scope) scopes_.pop();
  }
  scopes_.pop();
}

void StatementChecker::check_declaration(Declaration& declaration, VariableOrigin origin) {
  check_declared_type(declaration, origin);
  if (declaration.initial) check_initial(declaration);
  declare_name(declaration.name, declaration.spot, declaration.type(), origin, declaration.slot);
}

void StatementChecker::check_initial(Declaration& declaration) {
  if (context_.block == BlockKind::data || context_.block == BlockKind::parameters) {
    findings_.error(
        kModelRule, declaration.initial->spot,
        fmt::format("Variables of the {} block cannot be given a value.", name_of(context_.block)));
    return;
  }
  const StanType type = expressions_.check(*declaration.initial);
  if (promotes_to(type, declaration.type())) return;
  findings_.error(kModelType, declaration.initial->spot,
                  fmt::format("'{}' is {}; its value here is {}.", declaration.name,
                              to_string(declaration.type()), to_string(type)));
}

void StatementChecker::check_declared_type(const Declaration& declaration, VariableOrigin origin) {
  const DeclaredType& type = *declaration.declared;
  if (type.base == StanBase::complex) {
    findings_.error(kModelUnsupported, type.spot, "Complex values are not supported.");
  }
  if (origin == VariableOrigin::parameters && type.base == StanBase::integer) {
    findings_.error(kModelRule, type.spot,
                    fmt::format("Parameter '{}' is an int; parameters are real.", declaration.name),
                    "Sum discrete parameters out of the density.");
  }
  if (origin == VariableOrigin::local && type.constrained()) {
    findings_.error(kModelRule, type.spot,
                    fmt::format("Local variable '{}' cannot be constrained.", declaration.name));
  }
  check_sizes_and_bounds(declaration);
  if (type.base == StanBase::tuple) check_tuple(declaration, origin);
}

// Tuples may only hold intermediate results; the inputs and outputs of a program must be named
// variables.
void StatementChecker::check_tuple(const Declaration& declaration, VariableOrigin origin) {
  const DeclaredType& type = *declaration.declared;
  const bool outside =
      origin != VariableOrigin::local && origin != VariableOrigin::transformed_data;
  if (outside) {
    const bool given = origin == VariableOrigin::data || origin == VariableOrigin::parameters;
    findings_.error(
        kModelUnsupported, type.spot,
        fmt::format("A tuple cannot be declared in the {} block.", name_of(context_.block)),
        given ? "Declare a variable for each of its components."
              : "Declare a variable for each of its components and assign them together: (a, b) = "
                "f(x);");
  }
  for (const std::unique_ptr<Declaration>& component : type.components) {
    const DeclaredType& inner = *component->declared;
    if (inner.constrained()) {
      findings_.error(origin == VariableOrigin::local ? kModelRule : kModelUnsupported, inner.spot,
                      "A component of a tuple cannot be constrained here.",
                      "Give it a variable of its own.");
    }
    if (inner.base == StanBase::complex) {
      findings_.error(kModelUnsupported, inner.spot, "Complex values are not supported.");
    }
    check_sizes_and_bounds(*component);
    if (inner.base == StanBase::tuple) check_tuple(*component, VariableOrigin::local);
  }
}

void StatementChecker::check_sizes_and_bounds(const Declaration& declaration) {
  const DeclaredType& type = *declaration.declared;
  for (const ExpressionPtr& size : type.sizes) expressions_.check_int(*size, "A size");
  for (const ExpressionPtr& size : *declaration.array_sizes) {
    expressions_.check_int(*size, "A size");
  }
  for (StanExpression* bound :
       {type.lower.get(), type.upper.get(), type.offset.get(), type.multiplier.get()}) {
    check_bound(bound, declaration);
  }
}

void StatementChecker::check_bound(StanExpression* bound, const Declaration& declaration) {
  if (bound == nullptr) return;
  const StanType type = expressions_.check(*bound);
  const StanType whole = declaration.type();
  const bool int_wanted = whole.base == StanBase::integer;
  const bool fits = type.is_error() || (type.is_scalar() && (!int_wanted || type.is_int())) ||
                    promotes_to(type, whole) || promotes_to(type, {whole.base, 0});
  if (fits) return;
  findings_.error(kModelType, bound->spot,
                  fmt::format("A bound of {} cannot be {}.", to_string(whole), to_string(type)));
}

void StatementChecker::check_assignable(const StanExpression& target) {
  for (const StanExpression* variable : assigned_variables(target)) check_changeable(*variable);
}

void StatementChecker::check_changeable(const StanExpression& variable) {
  const VariableEntry* found = scopes_.find(variable.name);
  if (found == nullptr) return;  // already reported for the expression
  const auto refuse = [&](std::string_view what) {
    findings_.error(kModelRule, variable.spot,
                    fmt::format("'{}' is {} and cannot be assigned to here.", variable.name, what));
  };
  switch (found->origin) {
    case VariableOrigin::loop:
      return refuse("a loop variable");
    case VariableOrigin::argument:
      return refuse("a function's argument");
    case VariableOrigin::local:
      return;
    case VariableOrigin::data:
      return refuse("data");
    case VariableOrigin::parameters:
      return refuse("a parameter");
    default:
      if (context_.function == nullptr && found->origin == origin_in(context_.block)) return;
      return refuse("a variable of another block");
  }
}

namespace {

// The variable and component that a target changes: "7.2.1." is component x.2.1 of slot 7.
// Components after an index are ignored.
std::string assigned_path(const StanExpression& target) {
  if (target.kind == ExpressionKind::variable) return fmt::format("{}.", target.slot);
  const std::string base = assigned_path(*target.operands[0]);
  const bool component = target.kind == ExpressionKind::projection && !base.ends_with("[]");
  if (component) return fmt::format("{}{}.", base, target.number);
  return base.ends_with("[]") ? base : base + "[]";
}

void list_targets(const StanExpression& target, std::vector<const StanExpression*>& list) {
  if (target.kind != ExpressionKind::tuple_literal) return list.push_back(&target);
  for (const ExpressionPtr& part : target.operands) list_targets(*part, list);
}

}  // namespace

void StatementChecker::check_assigned_once(const StanExpression& target) {
  if (target.kind != ExpressionKind::tuple_literal) return;
  std::vector<const StanExpression*> targets;
  list_targets(target, targets);
  std::set<std::string> seen;
  for (const StanExpression* one : targets) {
    std::string path = assigned_path(*one);
    if (path.ends_with("[]")) path.resize(path.size() - 2);
    const auto longer = seen.lower_bound(path);
    bool twice = longer != seen.end() && longer->starts_with(path);
    for (std::size_t end = path.find('.'); end != std::string::npos;
         end = path.find('.', end + 1)) {
      twice = twice || seen.contains(path.substr(0, end + 1));
    }
    if (twice) {
      findings_.error(kModelRule, one->spot,
                      fmt::format("'{}' is assigned twice in one statement.", to_text(*one)));
    }
    seen.insert(std::move(path));
  }
}

void StatementChecker::check_assignment(StanStatement& statement) {
  const StanType target = expressions_.check(*statement.target);
  StanType value = expressions_.check(*statement.value);
  check_assignable(*statement.target);
  check_assigned_once(*statement.target);
  if (statement.op != Operator::none) {
    const auto result = binary_type(statement.op, target, value);
    if (!result) {
      findings_.error(kModelType, statement.spot,
                      fmt::format("Operator '{}=' does not take {} and {}.",
                                  symbol_of(statement.op), to_string(target), to_string(value)));
      return;
    }
    value = *result;
  }
  if (promotes_to(value, target)) return;
  findings_.error(kModelType, statement.spot,
                  fmt::format("A value of type {} cannot be assigned to {}.", to_string(value),
                              to_string(target)));
}

void StatementChecker::check_tilde(StanStatement& statement) {
  std::vector<StanType> types{expressions_.check(*statement.target)};
  for (const ExpressionPtr& argument : statement.arguments) {
    types.push_back(expressions_.check(*argument));
  }
  if (!context_.allows_target()) {
    findings_.error(kModelRule, statement.spot,
                    "'~' is allowed in the model block and functions ending in _lp only.");
  }
  CallProblem problem;
  const auto resolved = lookup_.resolve_density(statement.name, types, problem);
  if (!resolved) {
    findings_.error(*problem.code, statement.spot, problem.message, problem.hint);
    return;
  }
  statement.function = resolved->function;
  expressions_.note_call(resolved->function);
  if (statement.truncated) check_truncation(statement);
}

void StatementChecker::check_truncation(StanStatement& statement) {
  for (StanExpression* limit : {statement.lower.get(), statement.upper.get()}) {
    if (limit == nullptr) continue;
    const StanType type = expressions_.check(*limit);
    if (type.is_error() || type.is_scalar()) continue;
    findings_.error(kModelType, limit->spot,
                    fmt::format("A bound of T[,] is an int or a real, not {}.", to_string(type)));
  }
  const bool both = statement.lower && statement.upper;
  for (const auto& [limit, suffix] :
       {std::pair(statement.lower.get(), "_lccdf"), std::pair(statement.upper.get(), "_lcdf")}) {
    if (limit == nullptr) continue;
    const std::string needed = both ? "_lcdf" : suffix;
    const bool known = statement.function >= 0 ? lookup_.user_has(statement.name + needed)
                                               : lookup_.can_write(statement.name, needed);
    if (known) continue;
    findings_.error(kModelUnsupported, statement.spot,
                    fmt::format("'{}' cannot be truncated: '{}{}' is not supported.",
                                statement.name, statement.name, needed));
    return;
  }
}

void StatementChecker::check_increment(StanStatement& statement) {
  expressions_.check(*statement.value);
  const bool jacobian = statement.kind == StatementKind::jacobian_plus;
  if (jacobian ? context_.allows_jacobian() : context_.allows_target()) return;
  findings_.error(kModelRule, statement.spot,
                  jacobian ? "'jacobian +=' is allowed in transformed parameters and functions "
                             "ending in _jacobian only."
                           : "'target +=' is allowed in the model block and functions ending in "
                             "_lp only.");
}

void StatementChecker::check_call(StanStatement& statement) {
  const StanType type = expressions_.check(*statement.value);
  if (type.is_error() || type == kVoidType) return;
  findings_.error(kModelType, statement.spot,
                  fmt::format("The value of '{}' is not used.", statement.value->name),
                  "Assign it, or call a void function.");
}

void StatementChecker::check_loop(StanStatement& statement) {
  StanType element = kIntType;
  if (statement.kind == StatementKind::for_range) {
    expressions_.check_int(*statement.lower, "The start of a loop");
    expressions_.check_int(*statement.upper, "The end of a loop");
  } else if (statement.kind == StatementKind::while_loop) {
    expressions_.check_int(*statement.value, "A condition");
  } else {
    const StanType container = expressions_.check(*statement.value);
    if (container.is_array()) {
      element = container.element();
    } else if (container.rank() > 0 || container.is_error()) {
      element = container.is_error() ? kErrorType : kRealType;
    } else {
      findings_.error(
          kModelType, statement.value->spot,
          fmt::format("A loop runs over a range or a container, not {}.", to_string(container)),
          "Write 'for (i in 1:n)'.");
    }
  }
  scopes_.push();
  if (statement.kind != StatementKind::while_loop) {
    declare_name(statement.name, statement.spot, element, VariableOrigin::loop, statement.slot);
  }
  ++context_.loops;
  check_body(statement);
  --context_.loops;
  scopes_.pop();
}

void StatementChecker::check_return(StanStatement& statement) {
  const StanType type = statement.value ? expressions_.check(*statement.value) : kVoidType;
  if (context_.function == nullptr) {
    if (statement.value) {
      findings_.error(kModelRule, statement.spot, "A value is returned outside a function.");
    }
    return;
  }
  const StanType wanted = context_.function->result;
  const bool fits =
      wanted == kVoidType ? type == kVoidType : type != kVoidType && promotes_to(type, wanted);
  if (fits || type.is_error()) return;
  findings_.error(kModelType, statement.spot,
                  fmt::format("'{}' returns {}; this is {}.", context_.function->name,
                              to_string(wanted), to_string(type)));
}

}  // namespace dpvi
