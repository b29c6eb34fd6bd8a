#pragma once

#include <dpvi/model/function_registry.hpp>
#include <dpvi/stan/finding.hpp>
#include <dpvi/stan/syntax_tree.hpp>

namespace dpvi {

// Gives every expression its type and every name its meaning, and reports what Stan's rules, or
// the functions the registry can write, do not allow. A program without errors can be run.
void check_program(StanProgram& program, const FunctionRegistry& registry, Findings& findings);

}  // namespace dpvi
