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

// The rest of the text after the string that it begins with.
std::string_view after_string(std::string_view text) {
  const char quote = text.front();
  const bool is_long = text.size() >= 3 && text[1] == quote && text[2] == quote;
  const std::string end(is_long ? 3 : 1, quote);
  text.remove_prefix(end.size());
  while (!text.empty() && !text.starts_with(end)) {
    if (!is_long && text.front() == '\n') return text;  // not closed
    const bool escaped = quote == '"' && text.front() == '\\' && text.size() > 1;
    text.remove_prefix(escaped ? 2 : 1);
  }
  text.remove_prefix(std::min(end.size(), text.size()));
  return text;
}

}  // namespace

std::optional<int> line_of_deep_key(std::string_view text) {
  constexpr int kMostParts = 64;
  const std::string_view whole = text;
  int parts = 1;
  while (!text.empty()) {
    const char byte = text.front();
    if (byte == '"' || byte == '\'') {
      text = after_string(text);
      continue;
    }
    if (byte == '#') text.remove_prefix(std::min(text.find('\n'), text.size() - 1));
    if (byte == '.' && ++parts > kMostParts) {
      const std::string_view before = whole.substr(0, whole.size() - text.size());
      return 1 + static_cast<int>(std::count(before.begin(), before.end(), '\n'));
    }
    if (std::string_view("#=,[]{}\n").find(byte) != std::string_view::npos) parts = 1;
    text.remove_prefix(1);
  }
  return std::nullopt;
}

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
