#include <dpvi/stan/types/checked_program.hpp>

#include <fmt/format.h>

#include <dpvi/stan/syntax/parser.hpp>
#include <dpvi/stan/syntax/program_shape.hpp>

namespace dpvi {

CheckedProgram read_stan_program(std::string file_name, std::string text,
                                 const FunctionRegistry& registry) {
  constexpr std::size_t kMaxBytes = 4'000'000;
  const std::size_t bytes = text.size();
  if (bytes > kMaxBytes) text.clear();
  CheckedProgram made{SourceText(std::move(file_name), std::move(text)), {}, {}};
  if (bytes > kMaxBytes) {
    made.findings.error(
        kModelTooLarge, {},
        fmt::format("The file has {} bytes; a program has at most {}.", bytes, kMaxBytes));
    return made;
  }
  if (!looks_like_program(made.source.text())) {
    made.findings.error(kModelSyntax, {},
                        "This does not look like a Stan program: no block such as 'data {' or "
                        "'model {' begins a line, or much other text surrounds it.",
                        "The file is not shown because it may hold records. If it is the table: "
                        "the program comes first, then the data.");
    return made;
  }
  made.program = parse_program(made.source, made.findings);
  if (!made.findings.has_errors()) check_program(made.program, registry, made.findings);
  made.findings.sort_by_place();
  return made;
}

}  // namespace dpvi
