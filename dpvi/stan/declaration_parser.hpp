#pragma once

#include <dpvi/stan/expression_parser.hpp>

namespace dpvi {

// Reads declarations of variables and function arguments, in today's and the old array syntax.
class DeclarationParser {
 public:
  DeclarationParser(TokenCursor& cursor, ExpressionParser& expressions)
      : cursor_(cursor), expressions_(expressions) {}

  // Does a declaration start here?
  bool starts_here() const;
  // "array[N] real<lower=0> a, b = 2;" up to and including the semicolon.
  std::vector<std::unique_ptr<Declaration>> declarations();
  // "array[,] real", "real[,]", "void"
  StanType unsized_type();
  // A name that may be declared.
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
  int depth_ = 0;  // of tuples in tuples
};

}  // namespace dpvi
