#include <dpvi/stan/syntax/parser.hpp>

#include <fmt/format.h>

#include <dpvi/stan/syntax/statement_parser.hpp>
#include <dpvi/stan/syntax/suggestion.hpp>

namespace dpvi {
namespace {

class ProgramParser {
 public:
  explicit ProgramParser(TokenCursor& cursor) : cursor_(cursor), statements_(cursor) {}

  StanProgram run() {
    while (!cursor_.at_end() && !cursor_.findings().full()) {
      try {
        block();
      } catch (const SyntaxFailure&) {
        skip_to_block();
      }
    }
    return std::move(program_);
  }

 private:
  bool block_starts_here(BlockKind& kind) const {
    for (int i = 0; i < kBlockCount; ++i) {
      kind = static_cast<BlockKind>(i);
      const std::string_view name = name_of(kind);
      const std::size_t space = name.find(' ');
      const bool first = cursor_.peek().is_word(name.substr(0, space));
      if (space == std::string_view::npos) {
        if (first && cursor_.peek(1).is("{")) return true;
      } else if (first && cursor_.peek(1).is_word(name.substr(space + 1))) {
        return true;
      }
    }
    return false;
  }

  void block() {
    BlockKind kind{};
    if (!block_starts_here(kind)) fail_no_block();
    const Spot spot = cursor_.take().spot;
    if (name_of(kind).find(' ') != std::string_view::npos) cursor_.take();
    cursor_.expect("{", fmt::format("after '{}'", name_of(kind)));
    check_order(kind, spot);
    program_.block(kind).present = true;
    program_.block(kind).spot = spot;
    if (kind == BlockKind::functions) {
      functions();
    } else {
      statements_.statements_to_brace(program_.block(kind).statements);
    }
  }

  [[noreturn]] void fail_no_block() {
    std::vector<std::string_view> names;
    for (int i = 0; i < kBlockCount; ++i) names.push_back(name_of(static_cast<BlockKind>(i)));
    const Token& token = cursor_.peek();
    if (token.kind != TokenKind::identifier || !cursor_.peek(1).is("{")) {
      cursor_.fail_expected("a block such as 'data {' or 'model {'");
    }
    cursor_.fail(kModelSyntax, token.spot,
                 fmt::format("'{}' is not a block of a Stan program.", token.text),
                 did_you_mean(token.text, names));
  }

  void check_order(BlockKind kind, Spot spot) {
    if (program_.block(kind).present) {
      cursor_.findings().error(kModelSyntax, spot,
                               fmt::format("The '{}' block appears twice.", name_of(kind)));
      return;
    }
    for (int later = static_cast<int>(kind) + 1; later < kBlockCount; ++later) {
      const BlockKind other = static_cast<BlockKind>(later);
      if (!program_.block(other).present) continue;
      cursor_.findings().error(kModelSyntax, spot,
                               fmt::format("The '{}' block must come before the '{}' block.",
                                           name_of(kind), name_of(other)));
      return;
    }
  }

  void functions() {
    while (!cursor_.peek().is("}")) {
      if (cursor_.at_end()) cursor_.fail_expected("'}' to close the functions block");
      if (cursor_.findings().full()) throw SyntaxFailure{};
      try {
        function();
      } catch (const SyntaxFailure&) {
        skip_function();
      }
    }
    cursor_.take();
  }

  // Skips the rest of a function whose head has a syntax error.
  void skip_function() {
    while (!cursor_.at_end() && !cursor_.peek().is("}")) {
      const Token& token = cursor_.take();
      if (token.is(";")) return;
      if (token.is("{")) {
        cursor_.skip_block();
        return;
      }
    }
  }

  void function() {
    FunctionDefinition made;
    made.result = statements_.declarations().unsized_type();
    const Token& name = statements_.declarations().new_name("a function's name");
    made.name = name.text;
    made.spot = name.spot;
    cursor_.expect("(", "after the function's name");
    if (!cursor_.take_if(")")) {
      do {
        made.arguments.push_back(argument());
      } while (cursor_.take_if(","));
      cursor_.expect(")", "or ',' after the argument");
    }
    if (!cursor_.take_if(";")) {
      if (!cursor_.peek().is("{")) cursor_.fail_expected("the function's body in braces");
      made.body = statements_.statement();
    }
    program_.functions.push_back(std::move(made));
  }

  FunctionArgument argument() {
    FunctionArgument made;
    if (cursor_.peek().is_word("data")) {
      cursor_.take();
      made.data_only = true;
    }
    made.type = statements_.declarations().unsized_type();
    const Token& name = statements_.declarations().new_name("an argument's name");
    made.name = name.text;
    made.spot = name.spot;
    return made;
  }

  void skip_to_block() {
    BlockKind kind{};
    while (!cursor_.at_end() && !block_starts_here(kind)) cursor_.take();
  }

  TokenCursor& cursor_;
  StatementParser statements_;
  StanProgram program_;
};

}  // namespace

StanProgram parse_program(const SourceText& source, Findings& findings) {
  TokenCursor cursor(tokenize(source, findings), findings);
  return ProgramParser(cursor).run();
}

}  // namespace dpvi
