#pragma once

#include <dpvi/stan/syntax/syntax_tree.hpp>
#include <dpvi/stan/syntax/token_cursor.hpp>

namespace dpvi {

// Parses expressions by precedence climbing, with Stan's precedences and associativities.
class ExpressionParser {
 public:
  explicit ExpressionParser(TokenCursor& cursor) : cursor_(cursor) {}

  ExpressionPtr expression();
  // Parses the left side of a statement. Older versions of Stan assign with '<-', which means "less
  // than minus" in all other expressions.
  ExpressionPtr left_side();
  // Parses a bound in <lower=...>: arithmetic only, since '>' closes the bracket.
  ExpressionPtr bound();
  // Parses a comma-separated list up to and including `close`; the list may be empty.
  std::vector<ExpressionPtr> arguments(std::string_view close);

 private:
  ExpressionPtr conditional();
  ExpressionPtr climb(int weakest);
  ExpressionPtr prefix();
  ExpressionPtr postfix(ExpressionPtr operand);
  ExpressionPtr primary();
  ExpressionPtr parenthesis();
  ExpressionPtr projection(ExpressionPtr operand);
  ExpressionPtr number();
  ExpressionPtr name_or_call();
  ExpressionPtr literal(ExpressionKind kind, std::string_view close);
  std::vector<StanIndex> indices();
  StanIndex index();
  ExpressionPtr finish(ExpressionPtr node);

  TokenCursor& cursor_;
  int depth_ = 0;
  bool arrow_assigns_ = false;
};

}  // namespace dpvi
