#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <dpvi/fit/fit_result.hpp>

namespace dpvi {

// One name per number of a draw, as Stan CSV has them: indices from 1 after dots, the first index
// fastest. A variable of size zero has none.
std::vector<std::string> column_names(std::span<const OutputVariable> variables);

// As people and programs elsewhere write it: `beta.2.1` becomes `beta[2,1]`.
std::string bracketed_name(std::string_view column);

}  // namespace dpvi
