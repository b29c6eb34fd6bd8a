#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace dpvi {

// The candidate most like `name`, for "did you mean"; empty if none is close enough to be a slip.
std::string nearest_name(std::string_view name, const std::vector<std::string_view>& candidates);

// " Did you mean 'x'?" without the leading space, or nothing.
std::string did_you_mean(std::string_view name, const std::vector<std::string_view>& candidates);

}  // namespace dpvi
