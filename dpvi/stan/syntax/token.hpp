#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <dpvi/stan/syntax/finding.hpp>

namespace dpvi {

enum class TokenKind { identifier, integer, real, string, symbol, end };

// A lexical token. `text` is the identifier, the digits, the content of the string or the symbol.
struct Token {
  TokenKind kind = TokenKind::end;
  std::string_view text;
  Spot spot;

  bool is(std::string_view symbol) const { return kind == TokenKind::symbol && text == symbol; }
  bool is_word(std::string_view word) const {
    return kind == TokenKind::identifier && text == word;
  }
};

// Splits a program into tokens, the last of which is `end`. Drops comments of both kinds and the
// old `#` line comments; reports and skips characters that form no token. The tokens point into
// `source`, which must outlive them.
std::vector<Token> tokenize(const SourceText& source, Findings& findings);

}  // namespace dpvi
