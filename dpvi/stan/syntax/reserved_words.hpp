#pragma once

#include <string_view>

namespace dpvi {

// True for keywords that start blocks, statements or types. They cannot name variables or
// functions.
bool is_reserved_word(std::string_view word);

}  // namespace dpvi
