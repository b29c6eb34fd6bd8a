#include <dpvi/data/cell_format.hpp>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cmath>

#include <fmt/format.h>

#include <dpvi/data/number_parser.hpp>

namespace dpvi {
namespace {

constexpr std::string_view kDateParts[] = {"YYYY", "MM", "DD"};

bool is_decimal_digit(char c) { return c >= '0' && c <= '9'; }

// Reads exactly `count` digits at `at`; -1 if there are fewer.
int fixed_digits(std::string_view text, std::size_t at, std::size_t count) {
  if (at + count > text.size()) return -1;
  int number = 0;
  for (std::size_t i = at; i < at + count; ++i) {
    if (!is_decimal_digit(text[i])) return -1;
    number = 10 * number + (text[i] - '0');
  }
  return number;
}

// The part of a day that a time such as 12:30 or 12:30:15.5 stands for.
std::optional<double> fraction_of_day(std::string_view time) {
  const int hours = fixed_digits(time, 0, 2), minutes = fixed_digits(time, 3, 2);
  const bool separated = time.size() >= 5 && time[2] == ':';
  if (!separated || hours < 0 || minutes < 0 || hours > 23 || minutes > 59) return std::nullopt;
  double seconds = 0.0;
  if (time.size() > 5) {
    const bool starts = time[5] == ':' && time.size() > 6 && is_decimal_digit(time[6]);
    const auto number = starts ? parse_number(time.substr(6)) : std::nullopt;
    if (!number || !(*number >= 0.0 && *number < 61.0)) return std::nullopt;
    seconds = *number;
  }
  return (hours * 3600 + minutes * 60 + seconds) / 86400.0;
}

// Removes marks between groups of three digits before the decimal mark, and replaces that by a
// point. Returns nullopt if a mark stands elsewhere or the text uses a point that is no mark.
std::optional<std::string> unmarked_text(std::string_view text, const CellFormat& format) {
  const std::string& mark = format.thousands_mark;
  std::string plain;
  std::size_t digits = 0;  // in the current group
  bool grouped = false, whole = true;
  for (std::size_t at = 0; at < text.size();) {
    const char byte = text[at];
    if (whole && !mark.empty() && text.substr(at).starts_with(mark)) {
      if (digits == 0 || digits > 3 || (grouped && digits != 3)) return std::nullopt;
      grouped = true;
      digits = 0;
      at += mark.size();
      continue;
    }
    if (whole && !is_decimal_digit(byte) && digits > 0) {  // the end of the whole part
      if (grouped && digits != 3) return std::nullopt;
      whole = false;
    }
    if (is_decimal_digit(byte)) ++digits;
    if (byte == format.decimal_mark) {
      plain += '.';
    } else if (byte == '.') {
      return std::nullopt;
    } else {
      plain += byte;
    }
    ++at;
  }
  if (whole && grouped && digits != 3) return std::nullopt;
  return plain;
}

}  // namespace

bool is_date_pattern(std::string_view pattern) {
  std::string rest(pattern);
  for (const std::string_view part : kDateParts) {
    const std::size_t at = rest.find(part);
    if (at == std::string::npos) return false;
    rest.replace(at, part.size(), "-");
  }
  return std::ranges::none_of(rest, [](unsigned char c) { return std::isalnum(c) != 0; });
}

std::optional<double> parse_date(std::string_view text, std::string_view pattern) {
  int parts[3] = {0, 0, 0};  // year, month, day
  std::size_t at = 0;
  for (std::size_t i = 0; i < pattern.size();) {
    const auto* const part = std::ranges::find_if(
        kDateParts, [&](std::string_view name) { return pattern.substr(i).starts_with(name); });
    if (part == std::end(kDateParts)) {
      if (at >= text.size() || text[at] != pattern[i]) return std::nullopt;
      ++at, ++i;
      continue;
    }
    const int number = fixed_digits(text, at, part->size());
    if (number < 0) return std::nullopt;
    parts[part - kDateParts] = number;
    at += part->size();
    i += part->size();
  }
  const std::chrono::year_month_day date{std::chrono::year(parts[0]),
                                         std::chrono::month(static_cast<unsigned>(parts[1])),
                                         std::chrono::day(static_cast<unsigned>(parts[2]))};
  if (!date.ok()) return std::nullopt;
  const auto days = static_cast<double>(std::chrono::sys_days(date).time_since_epoch().count());
  if (at == text.size()) return days;
  if (text[at] != ' ' && text[at] != 'T') return std::nullopt;
  const std::optional<double> fraction = fraction_of_day(text.substr(at + 1));
  return fraction ? std::optional(days + *fraction) : std::nullopt;
}

std::optional<double> parse_formatted(std::string_view text, const CellFormat& format) {
  const std::string_view bare = without_blanks(text);
  if (format.date) {
    std::optional<double> days = parse_date(bare, format.date->pattern);
    if (!days) days = parse_date(bare, kIsoDatePattern);
    return days ? std::optional(*days - static_cast<double>(format.date->origin)) : std::nullopt;
  }
  if (format.decimal_mark == '.' && format.thousands_mark.empty()) return parse_number(bare);
  const std::optional<std::string> plain = unmarked_text(bare, format);
  return plain ? parse_number(*plain) : std::nullopt;
}

std::string formatted_number(const std::string& decimal, const CellFormat& format) {
  std::string text = decimal;
  if (!format.date) {
    std::ranges::replace(text, '.', format.decimal_mark);
    return text;
  }
  constexpr double kLargest = 3e6;  // about the year 9999
  const double day =
      std::floor(parse_number(decimal).value_or(0.0)) + static_cast<double>(format.date->origin);
  const std::chrono::sys_days days{
      std::chrono::days(static_cast<int>(std::clamp(day, -700000.0, kLargest - 100000.0)))};
  const std::chrono::year_month_day date{days};
  text = format.date->pattern;
  const auto replace = [&](std::string_view part, const std::string& number) {
    text.replace(text.find(part), part.size(), number);
  };
  replace("YYYY", fmt::format("{:04}", static_cast<int>(date.year())));
  replace("MM", fmt::format("{:02}", static_cast<unsigned>(date.month())));
  replace("DD", fmt::format("{:02}", static_cast<unsigned>(date.day())));
  return text;
}

}  // namespace dpvi
