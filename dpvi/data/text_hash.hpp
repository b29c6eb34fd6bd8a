#pragma once

#include <cstddef>
#include <functional>
#include <string_view>

namespace dpvi {

// Lets maps with texts as keys be asked by views.
struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const {
    return std::hash<std::string_view>()(text);
  }
};

}  // namespace dpvi
