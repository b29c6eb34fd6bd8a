#pragma once

#include <string>

#include <dpvi/stan/syntax/syntax_tree.hpp>

namespace dpvi {

// Prints an expression for messages, with parentheses around every operation.
std::string to_text(const StanExpression& expression);

// Prints the type of a declaration, e.g. "array[N] vector<lower=0>[K]".
std::string type_description(const Declaration& declaration);

}  // namespace dpvi
