#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace dpvi {

// Parses the text of a cell as a number, ignoring surrounding blanks: decimal with optional
// exponent, also NaN and Inf, independent of the locale. Overflow gives infinity, underflow zero.
// Returns nullopt if the text is not a number.
std::optional<double> parse_number(std::string_view text);

// Returns nullopt if the text is not an integer literal or does not fit.
std::optional<std::int64_t> parse_integer(std::string_view text);

std::string_view without_blanks(std::string_view text);

}  // namespace dpvi
