#pragma once

#include <dpvi/stan/types/expression_checker.hpp>

namespace dpvi {

// Checks statements in the given scopes and context.
class StatementChecker {
 public:
  StatementChecker(Scopes& scopes, const FunctionLookup& lookup, CheckContext& context,
                   Findings& findings)
      : scopes_(scopes),
        lookup_(lookup),
        context_(context),
        findings_(findings),
        expressions_(scopes, lookup, context, findings) {}

  void check(StanStatement& statement);
  // Checks a statement of a program block, whose variables stay visible.
  void check_top_level(StanStatement& statement);
  void declare_name(const std::string& name, Spot spot, StanType type, VariableOrigin origin,
                    int& slot);

 private:
  void check_declaration(Declaration& declaration, VariableOrigin origin);
  void check_declared_type(const Declaration& declaration, VariableOrigin origin);
  void check_sizes_and_bounds(const Declaration& declaration);
  void check_tuple(const Declaration& declaration, VariableOrigin origin);
  void check_bound(StanExpression* bound, const Declaration& declaration);
  void check_initial(Declaration& declaration);
  void check_assignment(StanStatement& statement);
  void check_assignable(const StanExpression& target);
  void check_changeable(const StanExpression& variable);
  void check_assigned_once(const StanExpression& target);
  void check_tilde(StanStatement& statement);
  void check_truncation(StanStatement& statement);
  void check_increment(StanStatement& statement);
  void check_call(StanStatement& statement);
  void check_loop(StanStatement& statement);
  void check_return(StanStatement& statement);
  void check_body(StanStatement& statement);

  Scopes& scopes_;
  const FunctionLookup& lookup_;
  CheckContext& context_;
  Findings& findings_;
  ExpressionChecker expressions_;
};

}  // namespace dpvi
