#pragma once

#include <dpvi/stan/syntax/finding.hpp>
#include <dpvi/stan/syntax/syntax_tree.hpp>
#include <dpvi/stan/types/checker.hpp>

namespace dpvi {

// A parsed and checked program. It is usable only if the findings contain no errors.
struct CheckedProgram {
  SourceText source;
  StanProgram program;
  Findings findings;
};

CheckedProgram read_stan_program(std::string file_name, std::string text,
                                 const FunctionRegistry& registry);

}  // namespace dpvi
