#pragma once

#include <dpvi/model/function_registry.hpp>
#include <dpvi/stan/syntax/finding.hpp>
#include <dpvi/stan/syntax/syntax_tree.hpp>

namespace dpvi {

// Assigns a type to every expression and resolves every name. Reports violations of Stan's rules
// and calls of functions that are not in the registry. A program without errors can be run.
void check_program(StanProgram& program, const FunctionRegistry& registry, Findings& findings);

}  // namespace dpvi
