#include <dpvi/data/variable_name.hpp>

#include <cctype>

#include <fmt/format.h>

namespace dpvi {
namespace {

// U+00C0 to U+00FF without accents.
constexpr std::string_view kLatinLetters =
    "AAAAAAACEEEEIIIIDNOOOOO_OUUUUYTsaaaaaaaceeeeiiiidnooooo_ouuuuyty";
constexpr char32_t kFirstLatin = 0xC0;

// Decodes the character at `at` and moves behind it. A byte that is not UTF-8 counts as a
// character.
char32_t next_character(std::string_view text, std::size_t& at) {
  const auto first = static_cast<unsigned char>(text[at++]);
  const int further = first < 0xC0 ? 0 : first < 0xE0 ? 1 : first < 0xF0 ? 2 : 3;
  if (further == 0) return first;
  char32_t code = first & (0x3FU >> further);
  for (int i = 0; i < further && at < text.size(); ++i) {
    code = code << 6 | (static_cast<unsigned char>(text[at++]) & 0x3FU);
  }
  return code;
}

}  // namespace

std::string variable_name(std::string_view column) {
  std::string name;
  for (std::size_t at = 0; at < column.size();) {
    const char32_t code = next_character(column, at);
    if (code < 0x80) {
      name += std::isalnum(static_cast<int>(code)) != 0 ? static_cast<char>(code) : '_';
    } else if (code >= kFirstLatin && code < kFirstLatin + kLatinLetters.size()) {
      name += kLatinLetters[code - kFirstLatin];
    } else {
      name += fmt::format("u{:04x}", static_cast<std::uint32_t>(code));
    }
  }
  if (name.empty() || std::isalpha(static_cast<unsigned char>(name[0])) == 0) name = "x" + name;
  while (name.ends_with('_')) name.pop_back();
  return name;
}

bool names_variable(std::string_view column, std::string_view variable) {
  const std::string name = variable_name(column);
  return variable == name || variable == name + std::string(kVariableEnding) ||
         variable == std::string(kVariableBeginning) + name;
}

}  // namespace dpvi
