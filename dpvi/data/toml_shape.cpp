#include <dpvi/data/toml_shape.hpp>

#include <algorithm>

namespace dpvi {
namespace {

std::string_view without_leading(std::string_view text, std::string_view bytes) {
  const std::size_t first = text.find_first_not_of(bytes);
  return first == std::string_view::npos ? std::string_view() : text.substr(first);
}

bool begins_with_key(std::string_view line, std::string_view key) {
  line = without_leading(line, " \t");
  const bool section = line.starts_with('[');
  if (section) line = without_leading(line, "[ \t");
  if (!line.starts_with(key)) return false;
  line = without_leading(line.substr(key.size()), " \t");
  return line.starts_with('.') || line.starts_with(section ? ']' : '=');
}

}  // namespace

bool has_toml_key(std::string_view text, std::span<const std::string> keys) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of("\r\n"), text.size());
    const std::string_view line = text.substr(0, end);
    const auto begins = [&](const std::string& key) { return begins_with_key(line, key); };
    if (std::any_of(keys.begin(), keys.end(), begins)) return true;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return false;
}

}  // namespace dpvi
