#pragma once

#include <dpvi/stan/syntax/finding.hpp>
#include <dpvi/stan/syntax/syntax_tree.hpp>

namespace dpvi {

// Parses a whole program. Syntax errors go to `findings`, as many as can be reported separately.
// After an error the tree is incomplete and must not be used.
StanProgram parse_program(const SourceText& source, Findings& findings);

}  // namespace dpvi
