#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace dpvi {

inline constexpr std::string_view kIsoDatePattern = "YYYY-MM-DD";

// How a column writes dates. A date is read as the number of days since `origin`, with a fraction
// if it has a time.
struct DateFormat {
  std::string pattern{kIsoDatePattern};  // YYYY, MM and DD once each; other characters stand for
                                         // themselves
  std::int64_t origin = 0;               // in days since 1970-01-01
};

// True if a pattern has YYYY, MM and DD once each, and no other letter or digit.
bool is_date_pattern(std::string_view pattern);

// The number of days since 1970-01-01 of a date written by the pattern, or nullopt. A time may
// follow after a blank or T: 23:59 or 23:59:59.
std::optional<double> parse_date(std::string_view text, std::string_view pattern);

// How the cells of a column are written, as the schema declares it. Nothing is guessed from cells:
// every cell is read by the same rules.
struct CellFormat {
  char decimal_mark = '.';
  std::string thousands_mark = {};  // between groups of three digits; empty: none
  bool trim = false;                // blanks around the texts of levels do not count
  std::optional<DateFormat> date = std::nullopt;
  // What other texts stand for: a number, or the code of a level.
  std::map<std::string, double, std::less<>> synonyms = {};

  // True if numbers are written as everywhere else: 1234.5.
  bool plain_numbers() const {
    return decimal_mark == '.' && thousands_mark.empty() && !date && synonyms.empty();
  }
};

// Parses a number or date of a column. Surrounding blanks do not count. Groups must have three
// digits each. In a column of dates, YYYY-MM-DD is understood beside the declared pattern.
std::optional<double> parse_formatted(std::string_view text, const CellFormat& format);

// Writes `decimal`, a number with a decimal point, as the column does: parse_formatted() reads it.
// Dates lose their fraction, downwards.
std::string formatted_number(const std::string& decimal, const CellFormat& format);

}  // namespace dpvi
