#pragma once

#include <string>

namespace dpvi {

// Returns the time in UTC as "YYYY-MM-DD HH:MM:SS".
std::string utc_now();

}  // namespace dpvi
