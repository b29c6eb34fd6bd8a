#pragma once

#include <cstddef>
#include <functional>
#include <string_view>

namespace dpvi {

// Allows maps with string keys to be searched by string_view.
struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const {
    return std::hash<std::string_view>()(text);
  }
};

}  // namespace dpvi
