#pragma once

#include <string>
#include <string_view>

namespace dpvi {

// The text with the characters that mean something in HTML and SVG written so that they do not.
std::string escaped_markup(std::string_view text);

}  // namespace dpvi
