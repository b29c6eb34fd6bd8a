#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace dpvi {

// The candidate that a person most likely meant by `typed`: the one with the fewest edits
// (insert, delete, replace, swap of neighbours), or nothing if all are too far to be a slip.
std::optional<std::string> nearest_name(std::string_view typed,
                                        std::span<const std::string> candidates);

}  // namespace dpvi
