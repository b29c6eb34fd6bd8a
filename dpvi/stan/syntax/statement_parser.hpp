#pragma once

#include <dpvi/stan/syntax/declaration_parser.hpp>

namespace dpvi {

// Parses statements. After a syntax error, parsing resumes at the next statement.
class StatementParser {
 public:
  explicit StatementParser(TokenCursor& cursor)
      : cursor_(cursor), expressions_(cursor), declarations_(cursor, expressions_) {}

  StatementPtr statement();
  // Parses statements and declarations up to and including the closing '}'.
  void statements_to_brace(std::vector<StatementPtr>& list);

  ExpressionParser& expressions() { return expressions_; }
  DeclarationParser& declarations() { return declarations_; }

 private:
  void statement_or_declarations(std::vector<StatementPtr>& list);
  bool array_stands_here() const;
  StatementPtr keyword_statement(std::string_view word);
  StatementPtr if_statement();
  StatementPtr while_statement();
  StatementPtr for_statement();
  StatementPtr block();
  StatementPtr profile();
  StatementPtr jump(StatementKind kind);
  StatementPtr return_statement();
  StatementPtr message_statement(StatementKind kind);
  StatementPtr increment(StatementKind kind);
  StatementPtr old_increment();
  StatementPtr old_sum();
  StatementPtr expression_statement();
  StatementPtr assignment(ExpressionPtr target, Operator op);
  StatementPtr tilde(ExpressionPtr target);
  void truncation(StanStatement& made);
  ExpressionPtr condition();
  StatementPtr start(StatementKind kind, Spot spot) const;
  void add_body(StanStatement& parent, StatementPtr child);

  TokenCursor& cursor_;
  ExpressionParser expressions_;
  DeclarationParser declarations_;
  int depth_ = 0;
};

}  // namespace dpvi
