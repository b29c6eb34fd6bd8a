#pragma once

#include <string>

namespace dpvi::cli {

// Returns the time as "YYYY-MM-DD HH:MM:SS".
std::string utc_now();

}  // namespace dpvi::cli
