#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <dpvi/data/column_source.hpp>
#include <dpvi/data/number_parser.hpp>
#include <dpvi/data/text_hash.hpp>

namespace dpvi {

// The cell texts that mean missing.
class MissingTexts {
 public:
  explicit MissingTexts(std::span<const std::string> texts);

  // Surrounding blanks do not count.
  bool contains(std::string_view text) const;
  // For a number without a text: true if one of the texts spells it.
  bool contains(double number) const;
  bool spell_numbers() const { return !numbers_.empty(); }

 private:
  std::vector<std::string> texts_;
  std::vector<double> numbers_;
};

// The only code that converts cell texts to typed cells.
class CellParser {
 public:
  CellParser(const BoundColumn& column, std::span<const std::string> missing);

  TypedCell parse(std::string_view text) const {
    if (is_category_) return parse_level(text);
    if (!plain_) return parse_formatted_cell(text);
    const std::optional<double> number = parse_number(text);
    if (number && !std::isnan(*number) && !missing_.spell_numbers()) return {*number};
    return parse_unusual(text, number);
  }

  // Converts a cell that is stored as a number. NaN is missing. A level is found by the shortest
  // text of the number.
  TypedCell convert(double number) const;
  TypedCell convert(std::int64_t number) const;

 private:
  TypedCell parse_level(std::string_view text) const;
  TypedCell parse_formatted_cell(std::string_view text) const;
  TypedCell parse_unusual(std::string_view text, std::optional<double> number) const;

  bool is_category_;
  bool plain_;  // numbers without synonyms, marks of their own or dates
  CellFormat format_;
  std::unordered_map<std::string, double, TextHash, std::equal_to<>> codes_;
  MissingTexts missing_;
};

}  // namespace dpvi
