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

// True for letters of East Asian scripts and for pictures, which are about two letters wide.
bool is_wide(std::uint32_t value) {
  return (value >= 0x1100 && value <= 0x115F) || (value >= 0x2E80 && value <= 0xA4CF) ||
         (value >= 0xAC00 && value <= 0xD7A3) || (value >= 0xF900 && value <= 0xFAFF) ||
         (value >= 0xFE30 && value <= 0xFE6F) || (value >= 0xFF01 && value <= 0xFF60) ||
         (value >= 0x1F300 && value <= 0x3FFFD);
}

struct Letter {
  std::string_view text;
  std::size_t width = 1;
};

std::vector<Letter> letters_of(std::string_view text) {
  std::vector<Letter> letters;
  while (!text.empty()) {
    const std::optional<CodePoint> point = first_code_point(text);
    letters.push_back(
        {text.substr(0, point ? point->bytes : 1), point && is_wide(point->value) ? 2U : 1U});
    text.remove_prefix(letters.back().text.size());
  }
  return letters;
}

}  // namespace

std::size_t letter_count(std::string_view text) {
  std::size_t count = 0;
  for (const Letter& letter : letters_of(text)) count += letter.width;
  return count;
}

std::string shortened(std::string_view text, std::size_t letters) {
  if (letter_count(text) <= letters) return std::string(text);
  const std::vector<Letter> all = letters_of(text);
  // An index at the end says more than the name in front of it.
  const std::size_t bracket = text.rfind('[');
  const std::size_t index =
      bracket == std::string_view::npos ? 0 : letter_count(text.substr(bracket));
  std::size_t tail = letters / 3;
  if (index > 0 && index + 2 <= letters) tail = index;
  std::size_t from = all.size();
  for (std::size_t taken = 0; from > 0 && taken + all[from - 1].width <= tail; --from) {
    taken += all[from - 1].width;
  }
  std::string result;
  std::size_t taken = 0;
  for (std::size_t i = 0; i < from && taken + all[i].width + tail + 1 <= letters; ++i) {
    result += all[i].text;
    taken += all[i].width;
  }
  result += "…";
  for (std::size_t i = from; i < all.size(); ++i) result += all[i].text;
  return result;
}

}  // namespace dpvi
