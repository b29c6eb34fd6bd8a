#pragma once

#include <string_view>

namespace dpvi {

// True if a text has the shape of a Stan program, with or without errors in it. Messages about a
// program quote its lines, and a private table may be given in its place by mistake.
//
// Guarantee: a table of records is not taken for a program, even if a cell contains part of one. In
// doubt the answer is no: a refused program only costs a look into the file.
bool looks_like_program(std::string_view text);

}  // namespace dpvi
