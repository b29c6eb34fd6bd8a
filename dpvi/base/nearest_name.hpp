#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace dpvi {

// The candidate that a person most likely meant by `typed`: the one with the smallest edit distance
// (insert, delete, replace, swap of neighbours). Returns nullopt if all candidates are too far away
// to be a typing mistake.
std::optional<std::string> nearest_name(std::string_view typed,
                                        std::span<const std::string> candidates);

}  // namespace dpvi
