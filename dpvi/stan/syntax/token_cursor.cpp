#include <dpvi/stan/syntax/token_cursor.hpp>

#include <fmt/format.h>

namespace dpvi {
namespace {

std::string describe(const Token& token) {
  if (token.kind == TokenKind::end) return "the end of the file";
  if (token.kind == TokenKind::string) return "a string";
  return fmt::format("'{}'", token.text.substr(0, 40));
}

}  // namespace

bool TokenCursor::take_if(std::string_view symbol) {
  if (!peek().is(symbol)) return false;
  take();
  return true;
}

const Token& TokenCursor::expect(std::string_view symbol, std::string_view context) {
  if (!peek().is(symbol)) fail_expected(fmt::format("'{}' {}", symbol, context));
  return take();
}

const Token& TokenCursor::expect_name(std::string_view what) {
  if (peek().kind != TokenKind::identifier) fail_expected(what);
  return take();
}

Spot TokenCursor::take_sign() {
  Token& symbol = tokens_[at_];
  const Spot spot = symbol.spot;
  symbol.text.remove_prefix(1);
  ++symbol.spot.column;
  return spot;
}

void TokenCursor::fail_expected(std::string_view expected) {
  fail(kModelSyntax, peek().spot,
       fmt::format("Expected {}, found {}.", expected, describe(peek())));
}

void TokenCursor::fail(const ErrorCode& code, Spot spot, std::string message, std::string hint) {
  findings_.error(code, spot, std::move(message), std::move(hint));
  throw SyntaxFailure{};
}

void TokenCursor::check_depth(int depth, Spot spot, int limit) {
  if (depth <= limit) return;
  fail(kModelTooLarge, spot, fmt::format("The program is nested more than {} deep here.", limit),
       "Split the expression or statement.");
}

void TokenCursor::skip_statement() {
  int open = 0;
  while (!at_end()) {
    if (peek().is("{")) ++open;
    if (peek().is("}") && open-- == 0) return;
    const bool closed = take().is(";") || peek(0).kind == TokenKind::end;
    if (closed && open == 0) return;
  }
}

void TokenCursor::skip_block() {
  int open = 1;
  while (!at_end() && open > 0) {
    const Token& token = take();
    if (token.is("{")) ++open;
    if (token.is("}")) --open;
  }
}

}  // namespace dpvi
