#include <dpvi/data/number_parser.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

namespace dpvi {
namespace {

// Appends digits to `number` and returns the first byte that is not a digit.
const char* read_digits(const char* at, const char* end, std::int64_t& number) {
  for (; at != end; ++at) {
    const auto digit = static_cast<unsigned char>(*at - '0');
    if (digit > 9) break;
    number = 10 * number + digit;
  }
  return at;
}

// Parses decimals like -12.345 with at most 15 digits; returns false for all others. Digits and
// power of ten are exact as doubles, so one division rounds correctly (Clinger 1990). This is
// faster than from_chars.
bool parse_plain(std::string_view text, double& value) {
  constexpr std::ptrdiff_t kMaxDigits = 15;
  static constexpr double kPowers[kMaxDigits + 1] = {1,   1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                     1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
  const bool negative = text.starts_with('-');
  const char* const first = text.data() + (negative ? 1 : 0);
  const char* const end = text.data() + text.size();
  if (end - first > kMaxDigits + 1) return false;
  std::int64_t number = 0;
  const char* const point = read_digits(first, end, number);
  std::ptrdiff_t digits = point - first, behind_point = 0;
  if (point != end) {
    if (*point != '.' || read_digits(point + 1, end, number) != end) return false;
    behind_point = end - point - 1;
    digits += behind_point;
  }
  if (digits == 0 || digits > kMaxDigits) return false;
  const double magnitude = static_cast<double>(number) / kPowers[behind_point];
  value = negative ? -magnitude : magnitude;
  return true;
}

std::string_view without_plus(std::string_view text) {
  const bool plus = text.size() > 1 && text[0] == '+' && text[1] != '-' && text[1] != '+';
  return plus ? text.substr(1) : text;
}

// For a decimal that from_chars reports as out of range: true if it overflows rather than
// underflows. Its magnitude is the position of the first non-zero digit before the point, plus the
// exponent.
bool is_large(std::string_view decimal) {
  const std::size_t mark = std::min(decimal.find_first_of("eE"), decimal.size());
  const std::string_view mantissa = decimal.substr(0, mark);
  const std::size_t point = std::min(mantissa.find('.'), mantissa.size());
  const std::size_t first = mantissa.find_first_of("123456789");
  const double magnitude = static_cast<double>(point) - static_cast<double>(first);
  if (mark == decimal.size()) return magnitude > 0;
  const std::string_view exponent = without_plus(decimal.substr(mark + 1));
  std::int64_t power = 0;
  const auto read = std::from_chars(exponent.data(), exponent.data() + exponent.size(), power);
  if (read.ec == std::errc::result_out_of_range) return exponent.front() != '-';
  return magnitude + static_cast<double>(power) > 0;
}

}  // namespace

std::string_view without_blanks(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::optional<double> parse_number(std::string_view text) {
  double value = 0;
  if (parse_plain(text, value)) return value;
  const std::string_view decimal = without_plus(without_blanks(text));
  const char* const end = decimal.data() + decimal.size();
  const auto read = std::from_chars(decimal.data(), end, value);
  if (read.ptr != end || decimal.empty()) return std::nullopt;
  if (read.ec == std::errc()) return value;
  if (read.ec != std::errc::result_out_of_range) return std::nullopt;
  const double limit = is_large(decimal) ? std::numeric_limits<double>::infinity() : 0.0;
  return std::copysign(limit, decimal.front() == '-' ? -1.0 : 1.0);
}

std::optional<std::int64_t> parse_integer(std::string_view text) {
  const std::string_view digits = without_plus(without_blanks(text));
  std::int64_t value = 0;
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (read.ec != std::errc() || read.ptr != digits.data() + digits.size()) return std::nullopt;
  return value;
}

}  // namespace dpvi
