#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <dpvi/stan/syntax/token.hpp>

namespace dpvi {

// Thrown after a syntax error has been reported; caught where parsing can resume.
struct SyntaxFailure {};

// Iterates over the tokens of a program and reports unexpected tokens.
class TokenCursor {
 public:
  // Exceeds any realistic nesting, and keeps recursion far from a stack overflow.
  static constexpr int kMaxDepth = 500;
  // A sum of many terms is a tall tree without nesting.
  static constexpr int kMaxHeight = 1500;

  TokenCursor(std::vector<Token> tokens, Findings& findings)
      : tokens_(std::move(tokens)), findings_(findings) {}

  const Token& peek(std::size_t ahead = 0) const {
    return tokens_[std::min(at_ + ahead, tokens_.size() - 1)];
  }
  const Token& take() {
    const Token& token = peek();
    if (at_ + 1 < tokens_.size()) ++at_;
    return token;
  }
  bool at_end() const { return peek().kind == TokenKind::end; }
  bool take_if(std::string_view symbol);
  // `context` completes "Expected ';' ...", e.g. "after this declaration".
  const Token& expect(std::string_view symbol, std::string_view context);
  const Token& expect_name(std::string_view what);
  // Consumes the first character of a symbol; the rest of the symbol becomes the next token.
  Spot take_sign();

  [[noreturn]] void fail_expected(std::string_view expected);
  [[noreturn]] void fail(const ErrorCode& code, Spot spot, std::string message,
                         std::string hint = {});
  void check_depth(int depth, Spot spot, int limit = kMaxDepth);

  // Moves the cursor after the next ';' or before the '}' that closes the current block.
  void skip_statement();
  // Moves the cursor after the '}' that closes the current block.
  void skip_block();

  Findings& findings() { return findings_; }

 private:
  std::vector<Token> tokens_;
  Findings& findings_;
  std::size_t at_ = 0;
};

// Tracks the nesting depth of a recursive parser.
class DepthGuard {
 public:
  DepthGuard(int& depth, TokenCursor& cursor) : depth_(depth) {
    cursor.check_depth(depth_ + 1, cursor.peek().spot);
    ++depth_;
  }
  ~DepthGuard() { --depth_; }
  DepthGuard(const DepthGuard&) = delete;
  DepthGuard& operator=(const DepthGuard&) = delete;

 private:
  int& depth_;
};

}  // namespace dpvi
