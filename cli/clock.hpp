#pragma once

#include <string>

namespace dpvi::cli {

// "YYYY-MM-DD HH:MM:SS".
std::string utc_now();

}  // namespace dpvi::cli
