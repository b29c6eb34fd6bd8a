#include <dpvi/stan/syntax/expression_parser.hpp>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

#include <fmt/format.h>

#include <dpvi/stan/syntax/reserved_words.hpp>

namespace dpvi {
namespace {

struct InfixRule {
  std::string_view symbol;
  Operator op;
  int strength;
};

// Operator precedence from Stan's reference manual; a larger number binds more tightly. All
// operators are left-associative except the powers. 1 is reserved for ?:, 9 for the prefix
// operators.
constexpr int kArithmetic = 6;
constexpr int kPrefix = 9;
constexpr int kPower = 10;
// Without spaces, a < -b looks like the assignment operator of older Stan versions.
constexpr std::string_view kArrow = "<-";
constexpr std::array<InfixRule, 20> kInfix = {{{"||", Operator::logical_or, 2},
                                               {"&&", Operator::logical_and, 3},
                                               {"==", Operator::equal, 4},
                                               {"!=", Operator::not_equal, 4},
                                               {"<", Operator::less, 5},
                                               {kArrow, Operator::less, 5},
                                               {"<=", Operator::less_equal, 5},
                                               {">", Operator::greater, 5},
                                               {">=", Operator::greater_equal, 5},
                                               {"+", Operator::add, kArithmetic},
                                               {"-", Operator::subtract, kArithmetic},
                                               {"*", Operator::multiply, 7},
                                               {"/", Operator::divide, 7},
                                               {"%", Operator::modulo, 7},
                                               {".*", Operator::element_multiply, 7},
                                               {"./", Operator::element_divide, 7},
                                               {"\\", Operator::left_divide, 8},
                                               {"%/%", Operator::integer_divide, 8},
                                               {"^", Operator::power, kPower},
                                               {".^", Operator::element_power, kPower}}};

const InfixRule* infix_rule(const Token& token) {
  if (token.kind != TokenKind::symbol) return nullptr;
  const auto found = std::find_if(kInfix.begin(), kInfix.end(),
                                  [&](const InfixRule& rule) { return token.text == rule.symbol; });
  return found == kInfix.end() ? nullptr : &*found;
}

Operator prefix_operator(const Token& token) {
  if (token.is("!")) return Operator::logical_not;
  if (token.is("-")) return Operator::negate;
  if (token.is("+")) return Operator::plus;
  return Operator::none;
}

ExpressionPtr node(ExpressionKind kind, Spot spot) {
  auto made = std::make_unique<StanExpression>();
  made->kind = kind;
  made->spot = spot;
  return made;
}

std::string without_separators(std::string_view digits) {
  std::string text(digits);
  std::erase(text, '_');
  return text;
}

}  // namespace

ExpressionPtr ExpressionParser::expression() {
  const bool outer = std::exchange(arrow_assigns_, false);
  ExpressionPtr made = conditional();
  arrow_assigns_ = outer;
  return made;
}

ExpressionPtr ExpressionParser::left_side() {
  arrow_assigns_ = true;
  ExpressionPtr made = conditional();
  arrow_assigns_ = false;
  return made;
}

ExpressionPtr ExpressionParser::conditional() {
  const DepthGuard guard(depth_, cursor_);
  ExpressionPtr condition = climb(2);
  if (!cursor_.peek().is("?")) return condition;
  ExpressionPtr made = node(ExpressionKind::conditional, condition->spot);
  cursor_.take();
  made->operands.push_back(std::move(condition));
  made->operands.push_back(expression());
  cursor_.expect(":", "between the two values of '?:'");
  made->operands.push_back(expression());
  return finish(std::move(made));
}

ExpressionPtr ExpressionParser::bound() { return climb(kArithmetic); }

std::vector<ExpressionPtr> ExpressionParser::arguments(std::string_view close) {
  std::vector<ExpressionPtr> list;
  if (cursor_.take_if(close)) return list;
  do {
    list.push_back(expression());
  } while (cursor_.take_if(","));
  cursor_.expect(close, "or ','");
  return list;
}

ExpressionPtr ExpressionParser::climb(int weakest) {
  const DepthGuard guard(depth_, cursor_);
  ExpressionPtr left = prefix();
  while (const InfixRule* rule = infix_rule(cursor_.peek())) {
    const bool arrow = cursor_.peek().is(kArrow);
    if (rule->strength < weakest || (arrow && arrow_assigns_)) break;
    const Spot spot = arrow ? cursor_.take_sign() : cursor_.take().spot;
    ExpressionPtr made = node(ExpressionKind::binary, spot);
    made->op = rule->op;
    made->operands.push_back(std::move(left));
    made->operands.push_back(climb(rule->strength == kPower ? kPower : rule->strength + 1));
    left = finish(std::move(made));
  }
  return left;
}

ExpressionPtr ExpressionParser::prefix() {
  const Operator op = prefix_operator(cursor_.peek());
  if (op == Operator::none) return postfix(primary());
  ExpressionPtr made = node(ExpressionKind::unary, cursor_.take().spot);
  made->op = op;
  made->operands.push_back(climb(kPrefix));
  return finish(std::move(made));
}

// The lexer reads x.2 as x and the number .2.
ExpressionPtr ExpressionParser::projection(ExpressionPtr operand) {
  const Token& token = cursor_.take();
  const std::string_view digits = token.text.substr(1);
  constexpr std::size_t kMaxDigits = 3;
  const bool whole = digits.find_first_not_of("0123456789") == std::string_view::npos;
  if (!whole || digits.size() > kMaxDigits) {
    cursor_.fail(kModelSyntax, token.spot,
                 fmt::format("'{}' is not a component of a tuple.", token.text),
                 "Components are counted from 1: x.1, x.2.");
  }
  ExpressionPtr made = node(ExpressionKind::projection, operand->spot);
  made->number = std::strtod(std::string(digits).c_str(), nullptr);
  made->operands.push_back(std::move(operand));
  return finish(std::move(made));
}

ExpressionPtr ExpressionParser::postfix(ExpressionPtr operand) {
  while (true) {
    const Token& token = cursor_.peek();
    if (token.is("'")) {
      ExpressionPtr made = node(ExpressionKind::transpose, token.spot);
      cursor_.take();
      made->operands.push_back(std::move(operand));
      operand = finish(std::move(made));
    } else if (token.is("[")) {
      ExpressionPtr made = node(ExpressionKind::index, operand->spot);
      cursor_.take();
      made->indices = indices();
      made->operands.push_back(std::move(operand));
      operand = finish(std::move(made));
    } else if (token.kind == TokenKind::real && token.text.starts_with('.')) {
      operand = projection(std::move(operand));
    } else {
      return operand;
    }
  }
}

ExpressionPtr ExpressionParser::primary() {
  const Token& token = cursor_.peek();
  switch (token.kind) {
    case TokenKind::integer:
    case TokenKind::real:
      return number();
    case TokenKind::identifier:
      return name_or_call();
    case TokenKind::symbol:
      if (token.is("(")) return parenthesis();
      if (token.is("{")) return literal(ExpressionKind::array_literal, "}");
      if (token.is("[")) return literal(ExpressionKind::row_vector_literal, "]");
      break;
    default:
      break;
  }
  cursor_.fail_expected("an expression");
}

ExpressionPtr ExpressionParser::parenthesis() {
  const Spot spot = cursor_.take().spot;
  ExpressionPtr inner = expression();
  if (!cursor_.peek().is(",")) {
    cursor_.expect(")", "to close the parenthesis");
    return inner;
  }
  ExpressionPtr made = node(ExpressionKind::tuple_literal, spot);
  made->operands.push_back(std::move(inner));
  while (cursor_.take_if(",")) made->operands.push_back(expression());
  cursor_.expect(")", "or ',' in this tuple");
  return finish(std::move(made));
}

ExpressionPtr ExpressionParser::number() {
  const Token& token = cursor_.take();
  const bool integer = token.kind == TokenKind::integer;
  ExpressionPtr made =
      node(integer ? ExpressionKind::integer_literal : ExpressionKind::real_literal, token.spot);
  made->number = std::strtod(without_separators(token.text).c_str(), nullptr);
  constexpr double kLargestInt = 2147483647.0;
  if (integer && made->number > kLargestInt) {
    cursor_.fail(kModelType, token.spot,
                 fmt::format("{} is larger than the largest int, 2147483647.", token.text),
                 "Write it as a real, e.g. with '.0' at its end.");
  }
  return made;
}

ExpressionPtr ExpressionParser::name_or_call() {
  const Token& token = cursor_.take();
  if (token.text == "target" && cursor_.peek().is("(")) {
    cursor_.take();
    cursor_.expect(")", "after 'target('");
    return node(ExpressionKind::target_value, token.spot);
  }
  if (is_reserved_word(token.text)) {
    cursor_.fail(kModelSyntax, token.spot,
                 fmt::format("Expected an expression, found the reserved word '{}'.", token.text));
  }
  const bool call = cursor_.peek().is("(");
  ExpressionPtr made = node(call ? ExpressionKind::call : ExpressionKind::variable, token.spot);
  made->name = token.text;
  if (!call) return made;
  cursor_.take();
  if (cursor_.take_if(")")) return made;
  made->operands.push_back(expression());
  if (cursor_.take_if("|")) {
    made->with_bar = true;
    std::vector<ExpressionPtr> rest = arguments(")");
    std::move(rest.begin(), rest.end(), std::back_inserter(made->operands));
  } else {
    while (cursor_.take_if(",")) made->operands.push_back(expression());
    cursor_.expect(")", "or ',' in this call");
  }
  return finish(std::move(made));
}

ExpressionPtr ExpressionParser::literal(ExpressionKind kind, std::string_view close) {
  ExpressionPtr made = node(kind, cursor_.take().spot);
  if (kind == ExpressionKind::array_literal && cursor_.peek().is(close)) {
    cursor_.fail_expected("the elements of an array");
  }
  made->operands = arguments(close);
  return finish(std::move(made));
}

std::vector<StanIndex> ExpressionParser::indices() {
  std::vector<StanIndex> list;
  do {
    list.push_back(index());
  } while (cursor_.take_if(","));
  cursor_.expect("]", "to close the index");
  return list;
}

StanIndex ExpressionParser::index() {
  const auto ends = [&] { return cursor_.peek().is(",") || cursor_.peek().is("]"); };
  StanIndex made;
  made.spot = cursor_.peek().spot;
  if (ends()) return made;
  if (!cursor_.peek().is(":")) {
    made.kind = IndexKind::single;
    made.low = expression();
  }
  if (!cursor_.take_if(":")) return made;
  made.kind = made.low ? IndexKind::from : IndexKind::all;
  if (ends()) return made;
  made.high = expression();
  made.kind = made.low ? IndexKind::between : IndexKind::to;
  return made;
}

// Every node passes through here, so the height limit also applies to long chains of operators.
ExpressionPtr ExpressionParser::finish(ExpressionPtr made) {
  int below = 0;
  for (const ExpressionPtr& operand : made->operands) below = std::max(below, operand->depth);
  for (const StanIndex& part : made->indices) {
    if (part.low) below = std::max(below, part.low->depth);
    if (part.high) below = std::max(below, part.high->depth);
  }
  made->depth = below + 1;
  cursor_.check_depth(made->depth, made->spot, TokenCursor::kMaxHeight);
  return made;
}

}  // namespace dpvi
