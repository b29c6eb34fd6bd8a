#include <dpvi/stan/checked_program.hpp>

#include <fmt/format.h>

#include <dpvi/stan/parser.hpp>

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
  made.program = parse_program(made.source, made.findings);
  if (!made.findings.has_errors()) check_program(made.program, registry, made.findings);
  made.findings.sort_by_place();
  return made;
}

}  // namespace dpvi
