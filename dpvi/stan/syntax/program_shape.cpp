#include <dpvi/stan/syntax/program_shape.hpp>

#include <algorithm>
#include <array>
#include <string>

#include <dpvi/stan/syntax/syntax_tree.hpp>

namespace dpvi {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word_part(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_';
}
bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
// True for bytes that can begin or end a cell of a table.
bool is_cell_part(char c) {
  return is_word_part(c) || c == '"' || c == '.' || static_cast<unsigned char>(c) >= 0x80;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

std::string_view first_word(std::string_view text) {
  std::size_t length = 0;
  while (length < text.size() && is_word_part(text[length])) ++length;
  return text.substr(0, length);
}

// Replaces comments by blanks, and strings that end on their line by "". An unclosed comment stays:
// it could hide a whole table.
std::string bare_code(std::string_view text) {
  std::string code;
  std::size_t at = 0;
  const auto skip_to = [&](std::size_t end) {
    for (; at < std::min(end, text.size()); ++at) {
      if (text[at] == '\n' || text[at] == '\r') code += '\n';
    }
  };
  while (at < text.size()) {
    const std::string_view rest = text.substr(at);
    if (rest.starts_with("//") || rest.front() == '#') {
      skip_to(text.find_first_of("\r\n", at));
    } else if (rest.starts_with("/*") && rest.find("*/", 2) != std::string_view::npos) {
      code += ' ';
      skip_to(text.find("*/", at + 2) + 2);
    } else if (rest.front() == '"') {
      const std::size_t end = text.find_first_of("\"\r\n", at + 1);
      const bool closed = end != std::string_view::npos && text[end] == '"';
      code += closed ? "\"\"" : "\"";
      at = closed ? end + 1 : at + 1;
    } else {
      code += rest.front() == '\r' ? '\n' : rest.front();
      ++at;
    }
  }
  return code;
}

bool is_binary(std::string_view code) {
  return std::any_of(code.begin(), code.end(), [](char c) {
    return c == 0x7f || (static_cast<unsigned char>(c) < 0x20 && !is_blank(c));
  });
}

// True if a Stan statement may begin with this word.
bool is_statement_word(std::string_view word) {
  static constexpr std::array<std::string_view, 38> kWords = {"int",
                                                              "real",
                                                              "vector",
                                                              "row_vector",
                                                              "matrix",
                                                              "array",
                                                              "simplex",
                                                              "ordered",
                                                              "positive_ordered",
                                                              "unit_vector",
                                                              "tuple",
                                                              "void",
                                                              "complex",
                                                              "complex_vector",
                                                              "complex_row_vector",
                                                              "complex_matrix",
                                                              "corr_matrix",
                                                              "cov_matrix",
                                                              "cholesky_factor_corr",
                                                              "cholesky_factor_cov",
                                                              "sum_to_zero_vector",
                                                              "sum_to_zero_matrix",
                                                              "row_stochastic_matrix",
                                                              "column_stochastic_matrix",
                                                              "for",
                                                              "while",
                                                              "if",
                                                              "else",
                                                              "return",
                                                              "break",
                                                              "continue",
                                                              "print",
                                                              "reject",
                                                              "fatal_error",
                                                              "profile",
                                                              "target",
                                                              "jacobian",
                                                              "increment_log_prob"};
  return std::find(kWords.begin(), kWords.end(), word) != kWords.end();
}

// Returns the position of the first of these bytes outside brackets, or the end of the text.
std::size_t find_outside_brackets(std::string_view text, std::string_view bytes) {
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (depth <= 0 && bytes.find(text[i]) != std::string_view::npos) return i;
    if (text[i] == '(' || text[i] == '[') ++depth;
    if (text[i] == ')' || text[i] == ']') --depth;
  }
  return text.size();
}

// Recognises declarations, assignments, densities, control flow and calls.
bool is_statement(std::string_view text) {
  const std::string_view word = first_word(text);
  const std::string_view rest = text.substr(word.size());
  if (is_statement_word(word)) {
    constexpr std::string_view kMayFollow = " \t\n<[(+";
    return rest.empty() || kMayFollow.find(rest.front()) != std::string_view::npos;
  }
  // The left side of an assignment or density statement is one expression on one line.
  const std::size_t sign = std::min(text.find_first_of("~="), text.find("<-"));
  if (sign != std::string_view::npos) return find_outside_brackets(text, ",;|\"\t\n") > sign;
  return !word.empty() && !is_digit(word.front()) && rest.starts_with('(');
}

// Returns the position of a block name that ends `text` and begins a line, or npos. The words of a
// name may be separated by any blanks.
std::size_t find_block_name(std::string_view text) {
  for (int i = 0; i < kBlockCount; ++i) {
    std::string_view rest = text;
    std::string_view name = name_of(static_cast<BlockKind>(i));
    bool fits = true;
    while (fits && !name.empty()) {
      const std::size_t space = name.rfind(' ');
      const std::string_view word = space == std::string_view::npos ? name : name.substr(space + 1);
      name = space == std::string_view::npos ? std::string_view() : name.substr(0, space);
      rest = trimmed(rest);
      fits = rest.ends_with(word);
      if (fits) rest.remove_suffix(word.size());
      fits = fits && (rest.empty() || is_blank(rest.back()));
    }
    if (!fits) continue;
    // "data" also ends "transformed data"; the text before it on its line decides.
    const std::size_t line = rest.rfind('\n') + 1;
    if (trimmed(rest.substr(line)).empty()) return rest.size();
  }
  return std::string_view::npos;
}

// Signs that a line outside all braces is a table row: adjacent cells, or many numbers.
struct RowSigns {
  bool separated = false;
  bool certain = false;
};

RowSigns row_signs(std::string_view line) {
  constexpr int kManyNumbers = 6;
  line = trimmed(line);
  int depth = 0;
  int numbers = 0;
  RowSigns signs;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '(' || c == '[' || c == '<') ++depth;
    if (c == ')' || c == ']' || c == '>') --depth;
    const bool separator = c == ',' || c == '\t' || c == '|' || c == ';';
    if (separator && depth <= 0 && i + 1 < line.size()) signs.separated = true;
    if (is_digit(c) && (i == 0 || !is_word_part(line[i - 1]))) ++numbers;
  }
  const bool quoted = line.find('"') != std::string_view::npos;
  signs.certain = numbers >= kManyNumbers || (quoted && !is_statement(line));
  if (is_statement_word(first_word(line)) && is_statement(line)) signs.separated = false;
  return signs;
}

class Shape {
 public:
  explicit Shape(std::string_view code) : code_(code) { split(); }

  bool is_program() const {
    if (blocks_ == 0 || certain_rows_ > 0 || rows_ > 1 || (rows_ == 1 && blocks_ < 2)) return false;
    if (strange_lines_ > 1 || strange_behind_ > 0) return false;
    return 2 * strange_ <= blocks_ + statements_;
  }

 private:
  // Splits the text at semicolons and braces. In a program nearly all parts are statements or block
  // heads; in a table they are cells, or many rows at once.
  void split() {
    std::size_t begin = 0;
    while (begin <= code_.size()) {
      const std::size_t end = std::min(code_.find_first_of(";{}", begin), code_.size());
      const char stop = end < code_.size() ? code_[end] : '\0';
      const std::string_view piece = code_.substr(begin, end - begin);
      if (open_lists_ == 0) add_piece(piece, stop);
      if (stop == '{') open(piece);
      if (stop == '}') close();
      last_stop_ = stop;
      begin = end + 1;
    }
    add_outside_rows();
  }

  // The braces of a list of values, {1, 2}, are not a block. Such lists occur inside blocks.
  void open(std::string_view before) {
    const std::string_view text = trimmed(before);
    constexpr std::string_view kBeforeList = "=,([+-*/?:";
    const bool list = !text.empty() && kBeforeList.find(text.back()) != std::string_view::npos;
    if (open_lists_ > 0 || (list && depth_ > 0)) {
      ++open_lists_;
    } else {
      ++depth_;
    }
  }

  void close() {
    if (open_lists_ > 0) {
      --open_lists_;
    } else if (depth_ > 0) {
      --depth_;
    }
  }

  void add_piece(std::string_view piece, char stop) {
    std::string_view text = trimmed(piece);
    if (begins_like_cell(piece) || find_outside_brackets(text, "\"") < text.size()) ++certain_rows_;
    // A block name at the start of a line within a block begins the next block: a brace is missing.
    const bool begins_line = last_stop_ != '{' || piece.find('\n') < piece.find(text);
    const std::size_t head =
        stop == '{' && begins_line ? find_block_name(text) : std::string_view::npos;
    const bool misspelt = stop == '{' && head == std::string_view::npos;
    if (head != std::string_view::npos) text = trimmed(text.substr(0, head));
    if (depth_ == 0) add_outside(misspelt ? without_last_word(text) : text, stop);
    const std::size_t breaks = row_breaks(text);
    const bool statement = is_statement(text) && stop != '\0';
    if (depth_ == 0 && blocks_ > 0 && !misspelt && !text.empty()) {
      strange_behind_ += breaks + (statement ? 0 : 1);
    }
    if (head != std::string_view::npos) ++blocks_;
    if (text.empty()) return;
    (statement ? statements_ : strange_) += 1;
    strange_ += breaks;
  }

  // True for a comma or a bar at a position where a statement may begin.
  bool begins_like_cell(std::string_view piece) const {
    const std::string_view text = trimmed(piece);
    return (last_stop_ == '{' || last_stop_ == ';') &&
           (text.starts_with(',') || text.starts_with('|'));
  }

  void add_outside(std::string_view text, char stop) {
    if (blocks_ == 0) first_block_ = outside_.size() + text.size();
    const bool statement = is_statement(text);
    outside_ += statement ? on_one_line(text) : std::string(text);
    outside_ += stop == ';' && !statement ? ";" : "\n";
  }

  // Joins the lines of bracketed expressions in a statement.
  static std::string on_one_line(std::string_view text) {
    std::string line(text);
    int depth = 0;
    for (char& c : line) {
      if (c == '(' || c == '[') ++depth;
      if (c == ')' || c == ']') --depth;
      if (c == '\n' && depth > 0) c = ' ';
    }
    return line;
  }

  // A word before a brace is a block head, misspelt or not, and not a row.
  static std::string_view without_last_word(std::string_view text) {
    std::string_view rest = trimmed(text);
    while (!rest.empty() && is_word_part(rest.back())) rest.remove_suffix(1);
    const std::string_view line = rest.substr(rest.rfind('\n') + 1);
    return trimmed(line).empty() ? rest : text;
  }

  // Counts line ends between two cells, where a program would have an operator, bracket or
  // semicolon.
  static std::size_t row_breaks(std::string_view text) {
    std::size_t breaks = 0;
    for (std::size_t at = text.find('\n'); at != std::string_view::npos;
         at = text.find('\n', at + 1)) {
      const std::string_view before = trimmed(text.substr(0, at));
      const std::string_view after = trimmed(text.substr(at));
      if (after.empty() || before.empty()) continue;
      if (!is_cell_part(before.back()) || !is_cell_part(after.front())) continue;
      if (before.ends_with("else") || is_statement_word(first_word(after))) continue;
      ++breaks;
      at = static_cast<std::size_t>(after.data() - text.data()) - 1;
    }
    return breaks;
  }

  bool behind_first_block(std::string_view line) const {
    return static_cast<std::size_t>(line.data() - outside_.data()) >= first_block_;
  }

  void add_outside_rows() {
    std::string_view rest = outside_;
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      const std::string_view line = trimmed(rest.substr(0, end));
      const RowSigns signs = row_signs(line);
      if (!line.empty() && !is_statement(line) && line.find_first_of("()[]") == line.npos) {
        strange_lines_ += behind_first_block(line) ? 0 : 1;
      }
      if (signs.separated) ++rows_;
      if (signs.certain) ++certain_rows_;
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }

  std::string_view code_;
  std::string outside_;  // text outside all braces, without block heads
  char last_stop_ = '\0';
  std::size_t depth_ = 0;
  std::size_t open_lists_ = 0;
  std::size_t blocks_ = 0;
  std::size_t statements_ = 0;
  std::size_t strange_ = 0;
  std::size_t first_block_ = 0;     // end of the text before the first block, in outside_
  std::size_t strange_lines_ = 0;   // outside all braces, before the first block
  std::size_t strange_behind_ = 0;  // the same after it: parts that are not statements
  std::size_t rows_ = 0;
  std::size_t certain_rows_ = 0;
};

}  // namespace

bool looks_like_program(std::string_view text) {
  const std::string code = bare_code(text);
  return !is_binary(code) && Shape(code).is_program();
}

}  // namespace dpvi
