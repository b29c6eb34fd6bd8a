#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <dpvi/fit/train/fit_result.hpp>

namespace dpvi {

// One name for each number of a draw, as in Stan CSV: indices start at 1 and follow dots, and the
// first index varies fastest. A variable of size zero has no names.
std::vector<std::string> column_names(std::span<const OutputVariable> variables);

// The name in the usual notation: `beta.2.1` becomes `beta[2,1]`.
std::string bracketed_name(std::string_view column);

}  // namespace dpvi
