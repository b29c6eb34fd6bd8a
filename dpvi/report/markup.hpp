#pragma once

#include <string>
#include <string_view>

namespace dpvi {

// Escapes the characters that have a meaning in HTML and SVG.
std::string escaped_markup(std::string_view text);

}  // namespace dpvi
