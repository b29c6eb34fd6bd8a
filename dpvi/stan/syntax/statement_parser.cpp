#include <dpvi/stan/syntax/statement_parser.hpp>

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace dpvi {
namespace {

struct AssignmentRule {
  std::string_view symbol;
  Operator op;
};

constexpr std::array<AssignmentRule, 8> kAssignments = {{{"=", Operator::none},
                                                         {"<-", Operator::none},
                                                         {"+=", Operator::add},
                                                         {"-=", Operator::subtract},
                                                         {"*=", Operator::multiply},
                                                         {"/=", Operator::divide},
                                                         {".*=", Operator::element_multiply},
                                                         {"./=", Operator::element_divide}}};

bool can_be_assigned(const StanExpression& target) {
  switch (target.kind) {
    case ExpressionKind::variable:
      return true;
    case ExpressionKind::index:
    case ExpressionKind::projection:
      return can_be_assigned(*target.operands[0]);
    case ExpressionKind::tuple_literal:
      return std::all_of(target.operands.begin(), target.operands.end(),
                         [](const ExpressionPtr& part) { return can_be_assigned(*part); });
    default:
      return false;
  }
}

}  // namespace

StatementPtr StatementParser::start(StatementKind kind, Spot spot) const {
  auto made = std::make_unique<StanStatement>();
  made->kind = kind;
  made->spot = spot;
  return made;
}

void StatementParser::add_body(StanStatement& parent, StatementPtr child) {
  parent.depth = std::max(parent.depth, child->depth + 1);
  parent.body.push_back(std::move(child));
}

void StatementParser::statements_to_brace(std::vector<StatementPtr>& list) {
  while (!cursor_.peek().is("}")) {
    if (cursor_.at_end()) cursor_.fail_expected("'}' to close the block");
    if (cursor_.findings().full()) throw SyntaxFailure{};
    try {
      statement_or_declarations(list);
    } catch (const SyntaxFailure&) {
      cursor_.skip_statement();
    }
  }
  cursor_.take();
}

void StatementParser::statement_or_declarations(std::vector<StatementPtr>& list) {
  if (!declarations_.starts_here()) {
    list.push_back(statement());
    return;
  }
  for (std::unique_ptr<Declaration>& declared : declarations_.declarations()) {
    StatementPtr made = start(StatementKind::declaration, declared->spot);
    made->declaration = std::move(declared);
    list.push_back(std::move(made));
  }
}

StatementPtr StatementParser::statement() {
  const DepthGuard guard(depth_, cursor_);
  const Token& token = cursor_.peek();
  if (token.is(";")) return start(StatementKind::skip, cursor_.take().spot);
  if (token.is("{") && !array_stands_here()) return block();
  if (token.kind == TokenKind::identifier) {
    if (StatementPtr made = keyword_statement(token.text)) return made;
  }
  if (declarations_.starts_here()) {
    cursor_.fail(kModelSyntax, token.spot, "A declaration cannot be the only statement here.",
                 "Put it in braces, with the statements that use it.");
  }
  return expression_statement();
}

// True if an array literal starts here, as in '{1, 2} ~ poisson(rate);', rather than a block. A
// block contains a semicolon; an array literal is followed by '~'.
bool StatementParser::array_stands_here() const {
  constexpr std::size_t kLongest = 1000;
  int open = 0;
  for (std::size_t i = 0; i < kLongest; ++i) {
    const Token& token = cursor_.peek(i);
    if (token.is(";") || token.kind == TokenKind::end) return false;
    if (token.is("{")) ++open;
    if (token.is("}") && --open == 0) return cursor_.peek(i + 1).is("~");
  }
  return false;
}

StatementPtr StatementParser::keyword_statement(std::string_view word) {
  if (word == "if") return if_statement();
  if (word == "while") return while_statement();
  if (word == "for") return for_statement();
  if (word == "profile") return profile();
  if (word == "break") return jump(StatementKind::break_loop);
  if (word == "continue") return jump(StatementKind::continue_loop);
  if (word == "return") return return_statement();
  if (word == "print") return message_statement(StatementKind::print);
  if (word == "reject") return message_statement(StatementKind::reject);
  if (word == "fatal_error") return message_statement(StatementKind::fatal_error);
  if (word == "target" && !cursor_.peek(1).is("(")) return increment(StatementKind::target_plus);
  if (word == "jacobian") return increment(StatementKind::jacobian_plus);
  if (word == "increment_log_prob") return old_increment();
  if (word == "lp__") return old_sum();
  if (word == "else") {
    cursor_.fail(kModelSyntax, cursor_.peek().spot, "This 'else' has no 'if'.",
                 "An 'if' takes one statement; put several in braces.");
  }
  return nullptr;
}

ExpressionPtr StatementParser::condition() {
  cursor_.expect("(", "before the condition");
  ExpressionPtr made = expressions_.expression();
  cursor_.expect(")", "after the condition");
  return made;
}

StatementPtr StatementParser::if_statement() {
  StatementPtr made = start(StatementKind::if_else, cursor_.take().spot);
  made->value = condition();
  add_body(*made, statement());
  if (cursor_.peek().is_word("else")) {
    cursor_.take();
    add_body(*made, statement());
  }
  return made;
}

StatementPtr StatementParser::while_statement() {
  StatementPtr made = start(StatementKind::while_loop, cursor_.take().spot);
  made->value = condition();
  add_body(*made, statement());
  return made;
}

StatementPtr StatementParser::for_statement() {
  StatementPtr made = start(StatementKind::for_range, cursor_.take().spot);
  cursor_.expect("(", "after 'for'");
  made->name = declarations_.new_name("a loop variable").text;
  if (!cursor_.peek().is_word("in")) cursor_.fail_expected("'in' after the loop variable");
  cursor_.take();
  made->lower = expressions_.expression();
  if (cursor_.take_if(":")) {
    made->upper = expressions_.expression();
  } else {
    made->kind = StatementKind::for_each;
    made->value = std::move(made->lower);
  }
  cursor_.expect(")", "after the loop's range");
  add_body(*made, statement());
  return made;
}

StatementPtr StatementParser::block() {
  StatementPtr made = start(StatementKind::block, cursor_.take().spot);
  statements_to_brace(made->body);
  for (const StatementPtr& child : made->body)
    made->depth = std::max(made->depth, child->depth + 1);
  return made;
}

StatementPtr StatementParser::profile() {
  const Spot spot = cursor_.take().spot;
  cursor_.expect("(", "after 'profile'");
  if (cursor_.peek().kind != TokenKind::string)
    cursor_.fail_expected("the profile's name in quotes");
  cursor_.take();
  cursor_.expect(")", "after the profile's name");
  if (!cursor_.peek().is("{")) cursor_.fail_expected("'{' after the profile's name");
  StatementPtr made = block();
  made->kind = StatementKind::profile;
  made->spot = spot;
  return made;
}

StatementPtr StatementParser::jump(StatementKind kind) {
  StatementPtr made = start(kind, cursor_.take().spot);
  cursor_.expect(";", "after this statement");
  return made;
}

StatementPtr StatementParser::return_statement() {
  StatementPtr made = start(StatementKind::return_value, cursor_.take().spot);
  if (!cursor_.peek().is(";")) made->value = expressions_.expression();
  cursor_.expect(";", "after the returned value");
  return made;
}

StatementPtr StatementParser::message_statement(StatementKind kind) {
  StatementPtr made = start(kind, cursor_.take().spot);
  cursor_.expect("(", "before what is printed");
  do {
    if (cursor_.peek().kind == TokenKind::string) {
      cursor_.take();
    } else if (!cursor_.peek().is(")")) {
      made->arguments.push_back(expressions_.expression());
    }
  } while (cursor_.take_if(","));
  cursor_.expect(")", "or ',' after what is printed");
  cursor_.expect(";", "after this statement");
  return made;
}

StatementPtr StatementParser::increment(StatementKind kind) {
  StatementPtr made = start(kind, cursor_.take().spot);
  if (cursor_.peek().is("<-") || cursor_.peek().is("=")) {
    cursor_.fail(kModelSyntax, cursor_.peek().spot, "The log density can only be incremented.",
                 "Write 'target += ...;'.");
  }
  cursor_.expect("+=", "after the log density");
  made->value = expressions_.expression();
  cursor_.expect(";", "after this increment");
  return made;
}

// increment_log_prob(x); is target += x;
StatementPtr StatementParser::old_increment() {
  StatementPtr made = start(StatementKind::target_plus, cursor_.take().spot);
  cursor_.expect("(", "before what the log density is incremented by");
  made->value = expressions_.expression();
  cursor_.expect(")", "after what the log density is incremented by");
  cursor_.expect(";", "after this increment");
  return made;
}

// lp__ <- lp__ + x; is target += x;
StatementPtr StatementParser::old_sum() {
  StatementPtr made = start(StatementKind::target_plus, cursor_.take().spot);
  if (!cursor_.take_if("+=")) {
    const bool assigned = cursor_.take_if("<-") || cursor_.take_if("=");
    const bool again = assigned && cursor_.peek().is_word("lp__");
    if (again) cursor_.take();
    // The expression that follows is parsed with its sign.
    if (!again || !(cursor_.peek().is("+") || cursor_.peek().is("-"))) {
      cursor_.fail(kModelSyntax, made->spot, "lp__ can only be added to.",
                   "Write 'target += ...;' with what is added to it.");
    }
  }
  made->value = expressions_.expression();
  cursor_.expect(";", "after this increment");
  return made;
}

StatementPtr StatementParser::expression_statement() {
  ExpressionPtr first = expressions_.left_side();
  const Token& token = cursor_.peek();
  if (token.is("~")) return tilde(std::move(first));
  for (const AssignmentRule& rule : kAssignments) {
    if (token.is(rule.symbol)) return assignment(std::move(first), rule.op);
  }
  if (first->kind != ExpressionKind::call) {
    cursor_.fail_expected("'=', '~' or an operator to make this a statement");
  }
  StatementPtr made = start(StatementKind::call, first->spot);
  made->value = std::move(first);
  cursor_.expect(";", "after this call");
  return made;
}

StatementPtr StatementParser::assignment(ExpressionPtr target, Operator op) {
  if (!can_be_assigned(*target)) {
    cursor_.fail(kModelSyntax, target->spot,
                 "Only a variable or a part of one can be assigned to.");
  }
  cursor_.take();
  StatementPtr made = start(StatementKind::assignment, target->spot);
  made->op = op;
  made->target = std::move(target);
  made->value = expressions_.expression();
  cursor_.expect(";", "after this assignment");
  return made;
}

StatementPtr StatementParser::tilde(ExpressionPtr target) {
  cursor_.take();
  StatementPtr made = start(StatementKind::tilde, target->spot);
  made->target = std::move(target);
  made->name = cursor_.expect_name("the name of a distribution").text;
  cursor_.expect("(", "after the distribution's name");
  made->arguments = expressions_.arguments(")");
  if (cursor_.peek().is_word("T")) truncation(*made);
  cursor_.expect(";", "after this statement");
  return made;
}

void StatementParser::truncation(StanStatement& made) {
  cursor_.take();
  cursor_.expect("[", "after 'T'");
  made.truncated = true;
  if (!cursor_.peek().is(",")) made.lower = expressions_.expression();
  cursor_.expect(",", "between the limits of the truncation");
  if (!cursor_.peek().is("]")) made.upper = expressions_.expression();
  cursor_.expect("]", "after the truncation");
}

}  // namespace dpvi
