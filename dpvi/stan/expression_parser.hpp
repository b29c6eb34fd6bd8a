#pragma once

#include <dpvi/stan/syntax_tree.hpp>
#include <dpvi/stan/token_cursor.hpp>

namespace dpvi {

// Reads expressions by precedence climbing, with Stan's precedences and associativities.
class ExpressionParser {
 public:
  explicit ExpressionParser(TokenCursor& cursor) : cursor_(cursor) {}

  ExpressionPtr expression();
  // Of a statement: as an expression, but for '<-', which assigned in older versions of Stan and
  // means "less than minus" elsewhere.
  ExpressionPtr left_side();
  // Inside <lower=...>: arithmetic only, since '>' closes the bracket.
  ExpressionPtr bound();
  // Separated by commas up to `close`, which is taken; may be empty.
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
