#pragma once

#include <string_view>

namespace dpvi {

// True if the bytes are valid UTF-8 (RFC 3629): no overlong forms, no surrogates.
bool is_utf8(std::string_view text);

}  // namespace dpvi
