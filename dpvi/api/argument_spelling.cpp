#include <dpvi/api/argument_spelling.hpp>

#include <algorithm>
#include <cstddef>

namespace dpvi {
namespace {

bool is_small_letter(char letter) { return letter >= 'a' && letter <= 'z'; }

// The end of the name of a flag that starts at `begin`, behind its two dashes.
std::size_t end_of_name(const std::string& text, std::size_t begin) {
  std::size_t end = begin;
  while (end < text.size() && (is_small_letter(text[end]) || text[end] == '-')) ++end;
  return end;
}

bool starts_flag(const std::string& text, std::size_t place) {
  const bool begins_word = place == 0 || text[place - 1] == ' ' || text[place - 1] == '(';
  return begins_word && place + 2 < text.size() && is_small_letter(text[place + 2]);
}

}  // namespace

std::string spelled_as_arguments(std::string message) {
  if (message.find("dpvi ") != std::string::npos) return message;
  std::size_t place = 0;
  while ((place = message.find("--", place)) != std::string::npos) {
    if (!starts_flag(message, place)) {
      place += 2;
      continue;
    }
    message.erase(place, 2);
    const std::size_t end = end_of_name(message, place);
    std::replace(message.begin() + static_cast<std::ptrdiff_t>(place),
                 message.begin() + static_cast<std::ptrdiff_t>(end), '-', '_');
    place = end;
  }
  return message;
}

}  // namespace dpvi
