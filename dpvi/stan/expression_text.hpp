#pragma once

#include <string>

#include <dpvi/stan/syntax_tree.hpp>

namespace dpvi {

// An expression written out again, with a parenthesis around every operation; for messages.
std::string to_text(const StanExpression& expression);

// "array[N] vector<lower=0>[K]" of a declaration.
std::string type_words(const Declaration& declaration);

}  // namespace dpvi
