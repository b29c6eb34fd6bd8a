#pragma once

#include <nlohmann/json.hpp>

namespace dpvi::cli {

// Keys keep their insertion order.
using Json = nlohmann::ordered_json;

}  // namespace dpvi::cli
