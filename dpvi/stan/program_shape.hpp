#pragma once

#include <string_view>

namespace dpvi {

// Whether a text has the shape of a Stan program, with or without mistakes in it. Messages about a
// program quote its lines, and a private table may be given in its place by mistake.
//
// Guarantee: a table of records is not taken for a program, also where a cell holds a piece of one.
// In doubt the answer is no: a program that is refused costs a look into the file.
bool looks_like_program(std::string_view text);

}  // namespace dpvi
