#pragma once

#include <string_view>

namespace dpvi {

// Whether the bytes are UTF-8 as RFC 3629 has it: no overlong forms, no surrogates.
bool is_utf8(std::string_view text);

}  // namespace dpvi
