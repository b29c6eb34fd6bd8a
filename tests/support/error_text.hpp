#pragma once

#include <concepts>
#include <string>

#include <dpvi/base/error.hpp>

namespace dpvi {

// The error line that a user sees when `action` fails with the given type, without the folder of
// `path`. Empty if the action succeeds.
template <class Expected = InputError, std::invocable Action>
std::string error_text(Action&& action, const std::string& path = {}) {
  try {
    action();
  } catch (const Expected& error) {
    std::string text = error.what();
    const std::string folder = path.substr(0, path.rfind('/') + 1);
    for (std::size_t at; !folder.empty() && (at = text.find(folder)) != std::string::npos;) {
      text.erase(at, folder.size());
    }
    return text;
  }
  return {};
}

}  // namespace dpvi
