#pragma once

#include <string>
#include <string_view>

namespace dpvi {

// Why a function that Stan has, or once had, cannot be used here, and what to do; empty for a name
// that Stan does not know.
std::string why_unsupported(std::string_view function);

}  // namespace dpvi
