#pragma once

#include <nlohmann/json.hpp>

namespace dpvi::cli {

// Keys stay in the order in which they are written.
using Json = nlohmann::ordered_json;

}  // namespace dpvi::cli
