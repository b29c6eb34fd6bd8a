#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace dpvi {

// "Did you mean 'x'?" for the most similar candidate; empty if none is similar.
std::string did_you_mean(std::string_view name, const std::vector<std::string_view>& candidates);

}  // namespace dpvi
