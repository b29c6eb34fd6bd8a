#include <array>

#include <fmt/format.h>

#include <dpvi/stan/syntax/token.hpp>

namespace dpvi {
namespace {

// Longer symbols come first, so that the first match is the longest.
constexpr std::array<std::string_view, 46> kSymbols = {
    "%/%", ".*=", "./=", "||", "&&", "==", "!=", "<=", ">=", "<-", "+=", "-=",
    "*=",  "/=",  ".*",  "./", ".^", "{",  "}",  "(",  ")",  "[",  "]",  "<",
    ">",   ",",   ";",   "|",  "?",  ":",  "!",  "-",  "+",  "^",  "'",  "*",
    "/",   "%",   "\\",  "~",  "=",  ".",  "&",  "@",  "$",  "`"};
constexpr std::string_view kUnknownSymbols = ".&@$`";

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word_part(char c) { return is_letter(c) || is_digit(c) || c == '_'; }
bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

class Lexer {
 public:
  Lexer(const SourceText& source, Findings& findings) : text_(source.text()), findings_(findings) {}

  std::vector<Token> run() {
    while (skip_blank()) read_token();
    tokens_.push_back({TokenKind::end, text_.substr(text_.size()), spot_});
    return std::move(tokens_);
  }

 private:
  char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }

  void advance(std::size_t count) {
    for (std::size_t i = 0; i < count && at_ < text_.size(); ++i, ++at_) {
      if (text_[at_] == '\n') {
        ++spot_.line;
        spot_.column = 1;
      } else {
        ++spot_.column;
      }
    }
  }

  void skip_line() {
    while (at_ < text_.size() && peek() != '\n') advance(1);
  }

  void skip_block_comment() {
    const Spot begin = spot_;
    const std::size_t end = text_.find("*/", at_ + 2);
    if (end == std::string_view::npos) {
      findings_.error(kModelSyntax, begin, "This comment is never closed; '/*' needs a '*/'.");
      advance(text_.size() - at_);
    } else {
      advance(end + 2 - at_);
    }
  }

  // Returns false at the end of the text.
  bool skip_blank() {
    while (at_ < text_.size()) {
      if (is_space(peek())) {
        advance(1);
      } else if (text_.substr(at_).starts_with("//")) {
        skip_line();
      } else if (text_.substr(at_).starts_with("/*")) {
        skip_block_comment();
      } else if (peek() == '#') {
        skip_hash();
      } else {
        return true;
      }
    }
    return false;
  }

  void skip_hash() {
    if (text_.substr(at_).starts_with("#include")) {
      findings_.error(kModelUnsupported, spot_, "#include is not supported.",
                      "Paste the included file into the program.");
    }
    skip_line();
  }

  void emit(TokenKind kind, std::size_t length) {
    tokens_.push_back({kind, text_.substr(at_, length), spot_});
    advance(length);
  }

  void read_token() {
    const char c = peek();
    if (is_letter(c)) {
      read_word();
    } else if (is_digit(c) || (c == '.' && is_digit(peek(1)))) {
      read_number();
    } else if (c == '"') {
      read_string();
    } else {
      read_symbol();
    }
  }

  void read_word() {
    std::size_t length = 1;
    while (is_word_part(peek(length))) ++length;
    emit(TokenKind::identifier, length);
  }

  std::size_t digits_from(std::size_t begin) const {
    std::size_t end = begin;
    while (is_digit(peek(end)) || (peek(end) == '_' && is_digit(peek(end + 1)))) ++end;
    return end;
  }

  void read_number() {
    std::size_t length = digits_from(0);
    bool real = false;
    // "1.*x" is 1. times x, as in Stan.
    if (peek(length) == '.') {
      real = true;
      length = digits_from(length + 1);
    }
    if (peek(length) == 'e' || peek(length) == 'E') {
      const std::size_t sign = peek(length + 1) == '+' || peek(length + 1) == '-' ? 1 : 0;
      const std::size_t exponent = length + 1 + sign;
      if (is_digit(peek(exponent))) {
        real = true;
        length = digits_from(exponent);
      }
    }
    if (is_word_part(peek(length))) {
      report_bad_number(length);
      return;
    }
    emit(real ? TokenKind::real : TokenKind::integer, length);
  }

  void report_bad_number(std::size_t length) {
    std::size_t end = length;
    while (is_word_part(peek(end))) ++end;
    const std::string_view text = text_.substr(at_, end);
    if (end == length + 1 && text.back() == 'i') {
      findings_.error(
          kModelUnsupported, spot_,
          fmt::format("'{}' is an imaginary number; complex values are not supported.", text));
    } else {
      findings_.error(kModelSyntax, spot_,
                      fmt::format("'{}' is neither a number nor a name.", text),
                      "Names start with a letter.");
    }
    emit(TokenKind::real, end);
  }

  void read_string() {
    std::size_t end = at_ + 1;
    while (end < text_.size() && text_[end] != '"' && text_[end] != '\n') ++end;
    if (end == text_.size() || text_[end] == '\n') {
      findings_.error(kModelSyntax, spot_, "This string is not closed on its line.");
      advance(end - at_);
      return;
    }
    tokens_.push_back({TokenKind::string, text_.substr(at_ + 1, end - at_ - 1), spot_});
    advance(end + 1 - at_);
  }

  void read_symbol() {
    for (const std::string_view symbol : kSymbols) {
      if (!text_.substr(at_).starts_with(symbol)) continue;
      if (kUnknownSymbols.find(symbol) != std::string_view::npos) break;
      emit(TokenKind::symbol, symbol.size());
      return;
    }
    report_stray_bytes();
  }

  // Reports a run of bytes that belong to no token in one message.
  void report_stray_bytes() {
    const unsigned char c = static_cast<unsigned char>(peek());
    const std::string shown =
        c >= 0x20 && c < 0x7f ? fmt::format("'{}'", peek()) : fmt::format("byte 0x{:02x}", c);
    findings_.error(kModelSyntax, spot_, fmt::format("{} has no meaning in a Stan program.", shown),
                    c >= 0x80 ? "Non-ASCII characters are allowed in comments only." : "");
    const auto stray = [](char b) { return static_cast<unsigned char>(b) >= 0x80; };
    do {
      advance(1);
    } while (at_ < text_.size() && stray(peek()));
  }

  std::string_view text_;
  Findings& findings_;
  std::size_t at_ = 0;
  Spot spot_{1, 1};
  std::vector<Token> tokens_;
};

}  // namespace

std::vector<Token> tokenize(const SourceText& source, Findings& findings) {
  return Lexer(source, findings).run();
}

}  // namespace dpvi
