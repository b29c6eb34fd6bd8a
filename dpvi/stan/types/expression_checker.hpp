#pragma once

#include <dpvi/stan/syntax/finding.hpp>
#include <dpvi/stan/types/function_lookup.hpp>
#include <dpvi/stan/types/scope.hpp>

namespace dpvi {

// Describes where an expression or statement occurs, and what is allowed there.
struct CheckContext {
  BlockKind block = BlockKind::functions;
  const FunctionDefinition* function = nullptr;  // null outside functions
  int loops = 0;
  std::vector<int>* called = nullptr;  // collects the user-defined functions called here

  bool allows_random() const;
  bool allows_target() const;
  bool allows_jacobian() const;
};

// Determines the type of every expression and resolves its names.
class ExpressionChecker {
 public:
  ExpressionChecker(Scopes& scopes, const FunctionLookup& lookup, const CheckContext& context,
                    Findings& findings)
      : scopes_(scopes), lookup_(lookup), context_(context), findings_(findings) {}

  StanType check(StanExpression& expression);
  // `what` completes "... must be an int", e.g. "A size".
  void check_int(StanExpression& expression, std::string_view what);
  void check_call_place(std::string_view name, Spot spot);
  // Notes a call of a user-defined function; ignores -1, which denotes Stan's functions.
  void note_call(int function) const {
    if (function >= 0 && context_.called != nullptr) context_.called->push_back(function);
  }

 private:
  StanType type_of(StanExpression& expression);
  StanType variable_type(StanExpression& expression);
  StanType operator_type(StanExpression& expression);
  StanType conditional_type(StanExpression& expression);
  StanType index_type(StanExpression& expression);
  StanType call_type(StanExpression& expression);
  StanType reduce_sum_type(StanExpression& expression);
  StanType tuple_literal_type(StanExpression& expression);
  StanType projection_type(StanExpression& expression);
  StanType array_type(StanExpression& expression);
  StanType row_vector_type(StanExpression& expression);
  bool index_keeps_dimension(StanIndex& index);

  Scopes& scopes_;
  const FunctionLookup& lookup_;
  const CheckContext& context_;
  Findings& findings_;
};

}  // namespace dpvi
