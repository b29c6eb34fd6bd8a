#include <dpvi/report/markup.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace dpvi {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

struct CodePoint {
  std::uint32_t value = 0;
  std::size_t bytes = 1;
};

// The code point at the start of the text, or nullopt if there is no valid UTF-8 sequence.
std::optional<CodePoint> first_code_point(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
  const std::uint8_t lead = byte(0);
  if (lead < 0x80) return CodePoint{lead, 1};
  const std::size_t bytes = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < bytes) return std::nullopt;
  std::uint32_t value = lead & (0x7FU >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U) return std::nullopt;
    value = value << 6U | (byte(i) & 0x3FU);
  }
  constexpr std::array<std::uint32_t, 5> kSmallest = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = value >= 0xD800 && value <= 0xDFFF;
  if (value < kSmallest[bytes] || value > 0x10FFFF || surrogate) return std::nullopt;
  return CodePoint{value, bytes};
}

// Control characters, marks that change the direction of writing, and code points that are no
// characters.
bool is_hidden(std::uint32_t value) {
  if (value == '\n' || value == '\t') return false;
  const auto between = [value](std::uint32_t low, std::uint32_t high) {
    return value >= low && value <= high;
  };
  return value < 0x20 || between(0x7F, 0x9F) || between(0x200B, 0x200F) ||
         between(0x2028, 0x202E) || between(0x2060, 0x206F) || value == 0xFEFF ||
         between(0xFDD0, 0xFDEF) || (value & 0xFFFEU) == 0xFFFEU;
}

// A text as UTF-8 without hidden characters. `escape` gives what stands for a character, or an
// empty text for the character itself.
template <class Escape>
std::string escaped(std::string_view text, const Escape& escape) {
  std::string result;
  while (!text.empty()) {
    const std::optional<CodePoint> point = first_code_point(text);
    if (!point || is_hidden(point->value)) {
      result += kReplacement;
    } else if (const std::string_view other = escape(point->value); !other.empty()) {
      result += other;
    } else {
      result += text.substr(0, point->bytes);
    }
    text.remove_prefix(point ? point->bytes : 1);
  }
  return result;
}

std::string_view entity_of(std::uint32_t value) {
  switch (value) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    case '\'':
      return "&#39;";
    default:
      return {};
  }
}

}  // namespace

std::string escaped_markup(std::string_view text) { return escaped(text, entity_of); }

namespace {

std::string_view markdown_escape(std::uint32_t value) {
  switch (value) {
    case '\n':
    case '\t':
      return " ";
    case '\\':
      return "\\\\";
    case '`':
      return "\\`";
    case '[':
      return "\\[";
    case '<':
      return "\\<";
    case '|':
      return "\\|";
    default:
      return {};
  }
}

}  // namespace

std::string escaped_markdown(std::string_view text) { return escaped(text, markdown_escape); }

std::string markdown_code(std::string_view name) {
  const auto escape = [](std::uint32_t value) -> std::string_view {
    if (value == '`') return "'";
    return value == '\n' || value == '\t' || value == '|' ? markdown_escape(value) : "";
  };
  return "`" + escaped(name, escape) + "`";
}

namespace {

std::vector<std::string_view> letters_of(std::string_view text) {
  std::vector<std::string_view> letters;
  while (!text.empty()) {
    const std::optional<CodePoint> point = first_code_point(text);
    letters.push_back(text.substr(0, point ? point->bytes : 1));
    text.remove_prefix(letters.back().size());
  }
  return letters;
}

}  // namespace

std::size_t letter_count(std::string_view text) { return letters_of(text).size(); }

std::string shortened(std::string_view text, std::size_t letters) {
  const std::vector<std::string_view> all = letters_of(text);
  if (all.size() <= letters) return std::string(text);
  // An index at the end says more than the name in front of it.
  const std::size_t bracket = text.rfind('[');
  const std::size_t index =
      bracket == std::string_view::npos ? 0 : letter_count(text.substr(bracket));
  std::size_t tail = letters / 3;
  if (index > 0 && index + 2 <= letters) tail = index;
  std::string result;
  for (std::size_t i = 0; i + tail + 1 < letters; ++i) result += all[i];
  result += "…";
  for (std::size_t i = all.size() - tail; i < all.size(); ++i) result += all[i];
  return result;
}

}  // namespace dpvi
