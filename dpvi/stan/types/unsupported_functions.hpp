#pragma once

#include <string>
#include <string_view>

namespace dpvi {

// Explains why a function that Stan has, or once had, is not supported, and what to do instead;
// empty for a name that Stan does not know.
std::string why_unsupported(std::string_view function);

}  // namespace dpvi
