#pragma once

#include <dpvi/stan/finding.hpp>
#include <dpvi/stan/syntax_tree.hpp>

namespace dpvi {

// Reads a whole program. Mistakes go to `findings`, as many as can be told apart; the tree then
// holds what could be read and must not be used further.
StanProgram parse_program(const SourceText& source, Findings& findings);

}  // namespace dpvi
