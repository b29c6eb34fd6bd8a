#pragma once

#include <cstdint>
#include <string>

namespace dpvi {

// Cells of a data frame that are read as texts, spelled as a CSV file has them.

// Rounds downwards.
std::int64_t floor_divided(std::int64_t value, std::int64_t by);

// Days since 1970 as YYYY-MM-DD. Days outside the years 1 to 9999 stay numbers of days.
std::string date_text(std::int64_t days);

// Ticks since 1970, of which a second has 10^digits, as YYYY-MM-DD HH:MM:SS.
std::string timestamp_text(std::int64_t ticks, int digits);

using Decimal = __int128;

// The number digits * 10^-places, without zeros at the end of its fraction.
std::string decimal_text(Decimal digits, int places);

}  // namespace dpvi
