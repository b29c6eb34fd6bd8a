#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace dpvi::cli {

using Points = std::vector<std::vector<double>>;

// Reads a JSON list of unconstrained vectors of `dimension` numbers each. Anything else is refused
// (DP330, DP331) with file, line and column.
Points read_points(const std::string& path, std::size_t dimension);

}  // namespace dpvi::cli
