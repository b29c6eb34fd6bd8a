#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace dpvi {

// The number a cell's text spells, blanks around it ignored: decimal with optional exponent, also
// NaN and Inf, in any locale. Too large is infinite, too small is zero. Nothing if it spells none.
std::optional<double> parse_number(std::string_view text);

// Nothing if the text is not an integer literal or does not fit.
std::optional<std::int64_t> parse_integer(std::string_view text);

std::string_view without_blanks(std::string_view text);

}  // namespace dpvi
