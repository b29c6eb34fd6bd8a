#pragma once

#include <dpvi/stan/syntax/expression_parser.hpp>

namespace dpvi {

// Parses declarations of variables and function arguments, in the current and the old array syntax.
class DeclarationParser {
 public:
  DeclarationParser(TokenCursor& cursor, ExpressionParser& expressions)
      : cursor_(cursor), expressions_(expressions) {}

  // True if a declaration starts at the cursor.
  bool starts_here() const;
  // Parses "array[N] real<lower=0> a, b = 2;" including the semicolon.
  std::vector<std::unique_ptr<Declaration>> declarations();
  // Parses "array[,] real", "real[,]" or "void".
  StanType unsized_type();
  // Parses an identifier and reports one that must not be declared.
  const Token& new_name(std::string_view what);

 private:
  std::shared_ptr<std::vector<ExpressionPtr>> sizes_in_brackets();
  std::shared_ptr<DeclaredType> declared_type();
  std::shared_ptr<DeclaredType> declared_tuple();
  StanType unsized_tuple();
  void check_components(std::size_t count, Spot spot);
  void type_sizes(DeclaredType& type);
  void constraints(DeclaredType& type);
  ExpressionPtr& constraint_named(DeclaredType& type, const Token& name);
  int unsized_brackets();
  [[noreturn]] void refuse_type(const Token& token);
  void check_rank(std::size_t rank, Spot spot);

  TokenCursor& cursor_;
  ExpressionParser& expressions_;
  int depth_ = 0;  // nesting of tuples
};

}  // namespace dpvi
