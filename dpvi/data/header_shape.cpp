#include <dpvi/data/header_shape.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <vector>

#include <dpvi/data/number_parser.hpp>

namespace dpvi {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
// Non-ASCII bytes count as letters.
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) >= 0x80;
}

std::string lower_case(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

// Splits a text into lower-case runs of digits and runs of letters.
std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at < text.size();) {
    const auto same = is_digit(text[at]) ? is_digit : is_letter;
    std::size_t end = at;
    while (end < text.size() && same(text[end])) ++end;
    if (end > at) words.push_back(lower_case(text.substr(at, end - at)));
    at = std::max(end, at + 1);
  }
  return words;
}

bool is_month(const std::string& word) {
  static constexpr std::array<std::string_view, 12> kMonths = {
      "january", "february", "march",     "april",   "may",      "june",
      "july",    "august",   "september", "october", "november", "december"};
  return word.size() >= 3 && std::any_of(kMonths.begin(), kMonths.end(), [&](auto month) {
           return month.starts_with(word) || (word == "sept" && month.starts_with("sept"));
         });
}

// True for words other than months that occur in dates and times.
bool is_clock_word(const std::string& word) {
  static constexpr std::array<std::string_view, 7> kWords = {"t",  "z",   "am", "pm",
                                                             "of", "utc", "gmt"};
  return std::find(kWords.begin(), kWords.end(), word) != kWords.end();
}

// Recognises "12-Jan-2020", "Jan 5, 2020" and "2020-01-31T12:00:00Z". A date starts with a number
// or contains a year, so elements of a variable such as "may.1" are not dates.
bool is_date_with_words(std::string_view text) {
  const std::vector<std::string> words = words_of(text);
  std::size_t numbers = 0;
  bool year = false;
  for (const std::string& word : words) {
    if (is_digit(word.front())) {
      ++numbers;
      year = year || word.size() == 4;
    } else if (!is_month(word) && !is_clock_word(word)) {
      return false;
    }
  }
  return numbers >= 2 && (year || is_digit(text.front()));
}

bool is_missing_mark(std::string_view text) {
  static constexpr std::array<std::string_view, 14> kMarks = {
      "NA",    "N/A",  "n/a",   "#N/A", "NULL",  "null", "TRUE",
      "FALSE", "True", "False", "true", "false", "<NA>", "NaT"};
  return std::find(kMarks.begin(), kMarks.end(), text) != kMarks.end();
}

// Recognises 0x1f and identifiers of 16 or more hexadecimal digits, also in groups.
bool is_hexadecimal(std::string_view text) {
  if (text.starts_with("0x") || text.starts_with("0X")) return true;
  constexpr std::size_t kFewest = 16;
  std::size_t digits = 0;
  bool decimal = false;
  for (const char c : text) {
    if (std::isxdigit(static_cast<unsigned char>(c)) != 0) {
      ++digits;
      decimal = decimal || is_digit(c);
    } else if (c != '-' && c != ':' && c != '{' && c != '}') {
      return false;
    }
  }
  return decimal && digits >= kFewest;
}

}  // namespace

bool looks_like_value(std::string_view text) {
  constexpr std::size_t kLongestName = 300;
  text = without_blanks(text);
  if (text.empty()) return false;
  if (text.size() > kLongestName || parse_number(text) || is_missing_mark(text)) return true;
  const bool letters = std::any_of(text.begin(), text.end(), is_letter);
  const bool digits = std::any_of(text.begin(), text.end(), is_digit);
  if (!letters) return digits || text == "." || text == "-" || text == "?" || text == "*";
  if (text.find('@') != std::string_view::npos) return true;
  return digits && (is_date_with_words(text) || is_hexadecimal(text));
}

std::optional<HeaderFault> find_header_fault(std::span<const std::string_view> names) {
  std::map<std::string_view, std::size_t> seen;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::size_t column = i + 1;
    if (without_blanks(names[i]).empty() && column > 1) {
      return HeaderFault{HeaderFault::Kind::no_name, column};
    }
    if (looks_like_value(names[i])) return HeaderFault{HeaderFault::Kind::value, column};
    const auto [known, added] = seen.emplace(names[i], column);
    if (!added) return HeaderFault{HeaderFault::Kind::repeated, column, known->second};
  }
  return std::nullopt;
}

}  // namespace dpvi
