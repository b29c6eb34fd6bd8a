#include <dpvi/stan/types/checker.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <dpvi/stan/types/statement_checker.hpp>

namespace dpvi {
namespace {

// True if every path through the statement ends in return (or reject).
bool always_returns(const StanStatement& statement) {
  const auto returns = [](const StatementPtr& child) { return always_returns(*child); };
  switch (statement.kind) {
    case StatementKind::return_value:
    case StatementKind::reject:
    case StatementKind::fatal_error:
      return true;
    case StatementKind::if_else:
      return statement.body.size() == 2 && returns(statement.body[0]) && returns(statement.body[1]);
    case StatementKind::block:
    case StatementKind::profile:
      return std::any_of(statement.body.begin(), statement.body.end(), returns);
    default:
      return false;
  }
}

class ProgramChecker {
 public:
  ProgramChecker(StanProgram& program, const FunctionRegistry& registry, Findings& findings)
      : program_(program), findings_(findings), lookup_(program, registry) {}

  void run() {
    calls_.resize(program_.functions.size());
    for (std::size_t i = 0; i < program_.functions.size(); ++i) check_function(i);
    Scopes scopes;
    scopes.push();
    CheckContext context;
    StatementChecker checker(scopes, lookup_, context, findings_);
    for (int i = static_cast<int>(BlockKind::data); i < kBlockCount; ++i) {
      context.block = static_cast<BlockKind>(i);
      const bool own_scope = context.block == BlockKind::model;
      if (own_scope) scopes.push();
      for (const StatementPtr& statement : program_.block(context.block).statements) {
        checker.check_top_level(*statement);
      }
      if (own_scope) scopes.pop();
    }
    program_.frame_size = scopes.slots();
    for (std::size_t i = 0; i < calls_.size(); ++i) refuse_recursion(i);
  }

 private:
  void check_function(std::size_t position) {
    FunctionDefinition& function = program_.functions[position];
    check_head(position);
    if (!function.body) return;
    Scopes scopes;
    scopes.push();
    CheckContext context;
    context.function = &function;
    context.called = &calls_[position];
    StatementChecker checker(scopes, lookup_, context, findings_);
    for (const FunctionArgument& argument : function.arguments) {
      int slot = 0;
      checker.declare_name(argument.name, argument.spot, argument.type, VariableOrigin::argument,
                           slot);
    }
    checker.check(*function.body);
    function.frame_size = scopes.slots();
    if (function.result != kVoidType && !always_returns(*function.body)) {
      findings_.error(kModelRule, function.spot,
                      fmt::format("'{}' can end without returning a value.", function.name),
                      "End it with 'return ...;'.");
    }
  }

  // Execution unrolls calls, so nothing would stop an endless recursion.
  void refuse_recursion(std::size_t function) {
    std::vector<bool> seen(calls_.size(), false);
    std::vector<int> open = calls_[function];
    while (!open.empty()) {
      const auto next = static_cast<std::size_t>(open.back());
      open.pop_back();
      if (next == function) {
        findings_.error(kModelUnsupported, program_.functions[function].spot,
                        fmt::format("'{}' calls itself, directly or through other functions.",
                                    program_.functions[function].name),
                        "Recursion is not supported. Write a loop.");
        return;
      }
      if (seen[next]) continue;
      seen[next] = true;
      open.insert(open.end(), calls_[next].begin(), calls_[next].end());
    }
  }

  void check_head(std::size_t position) {
    const FunctionDefinition& function = program_.functions[position];
    for (std::size_t i = 0; i < position; ++i) {
      const FunctionDefinition& other = program_.functions[i];
      if (other.name == function.name && other.body && function.body &&
          same_arguments(other, function)) {
        findings_.error(
            kModelName, function.spot,
            fmt::format("'{}' is defined twice with the same arguments.", function.name));
      }
    }
    if (!function.body && !defined_later(position)) {
      findings_.error(kModelName, function.spot,
                      fmt::format("'{}' is declared but never defined.", function.name));
    }
    check_density_head(function);
  }

  static bool same_arguments(const FunctionDefinition& a, const FunctionDefinition& b) {
    return std::equal(
        a.arguments.begin(), a.arguments.end(), b.arguments.begin(), b.arguments.end(),
        [](const FunctionArgument& x, const FunctionArgument& y) { return x.type == y.type; });
  }

  bool defined_later(std::size_t position) const {
    const FunctionDefinition& declared = program_.functions[position];
    return std::any_of(
        program_.functions.begin(), program_.functions.end(), [&](const FunctionDefinition& other) {
          return other.body && other.name == declared.name && same_arguments(other, declared);
        });
  }

  void check_density_head(const FunctionDefinition& function) {
    const bool density = function.name.ends_with("_lpdf");
    const bool mass = function.name.ends_with("_lpmf");
    if (!density && !mass) return;
    if (function.result != kRealType) {
      findings_.error(kModelType, function.spot,
                      fmt::format("Density '{}' must return real.", function.name));
    }
    if (function.arguments.empty() ||
        (function.arguments[0].type.base == StanBase::integer) == density) {
      findings_.error(kModelType, function.spot,
                      fmt::format("The first argument of '{}' must be {}.", function.name,
                                  density ? "real" : "int"));
    }
  }

  StanProgram& program_;
  Findings& findings_;
  FunctionLookup lookup_;
  std::vector<std::vector<int>> calls_;  // indexed by function: the functions it calls
};

}  // namespace

void check_program(StanProgram& program, const FunctionRegistry& registry, Findings& findings) {
  ProgramChecker(program, registry, findings).run();
}

}  // namespace dpvi
