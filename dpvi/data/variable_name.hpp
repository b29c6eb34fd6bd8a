#pragma once

#include <string>
#include <string_view>

namespace dpvi {

// A name for a program variable that reads a column: letters, digits and '_', beginning with a
// letter. Accents are left out; other characters than ASCII become "u" and their code point. It may
// still be a word of the language.
std::string variable_name(std::string_view column);

// True if formulas give the variable of this column this name: variable_name(), also with one of
// the two additions that avoid words of the language and names that formulas make.
bool names_variable(std::string_view column, std::string_view variable);

inline constexpr std::string_view kVariableEnding = "_column";
inline constexpr std::string_view kVariableBeginning = "x_";

}  // namespace dpvi
