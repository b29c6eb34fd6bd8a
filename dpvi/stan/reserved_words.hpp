#pragma once

#include <string_view>

namespace dpvi {

// Words that start blocks, statements or types and name neither variables nor functions.
bool is_reserved_word(std::string_view word);

}  // namespace dpvi
