#include <dpvi/data/cell_parser.hpp>

#include <algorithm>

#include <fmt/format.h>

namespace dpvi {

MissingTexts::MissingTexts(std::span<const std::string> texts)
    : texts_(texts.begin(), texts.end()) {
  for (const std::string& text : texts) {
    const std::optional<double> number = parse_number(text);
    if (number && !std::isnan(*number)) numbers_.push_back(*number);
  }
}

bool MissingTexts::contains(std::string_view text) const {
  return std::find(texts_.begin(), texts_.end(), without_blanks(text)) != texts_.end();
}

bool MissingTexts::contains(double number) const {
  return std::find(numbers_.begin(), numbers_.end(), number) != numbers_.end();
}

CellParser::CellParser(const BoundColumn& column, std::span<const std::string> missing)
    : is_category_(column.type == ColumnType::category),
      plain_(column.cells.plain_numbers()),
      format_(column.cells),
      missing_(missing) {
  const auto as_read = [&](const std::string& text) {
    return column.cells.trim ? std::string(without_blanks(text)) : text;
  };
  for (std::size_t i = 0; i < column.levels.size(); ++i) {
    codes_.emplace(as_read(column.levels[i]), static_cast<double>(i + 1));
  }
  if (!is_category_) return;
  for (const auto& [text, code] : column.cells.synonyms) codes_.emplace(as_read(text), code);
}

TypedCell CellParser::parse_level(std::string_view text) const {
  if (format_.trim) text = without_blanks(text);
  const auto code = codes_.find(text);
  if (code != codes_.end()) return {code->second};
  return {0, missing_.contains(text) ? CellState::missing : CellState::unlisted_level};
}

TypedCell CellParser::parse_formatted_cell(std::string_view text) const {
  const auto synonym = format_.synonyms.find(without_blanks(text));
  if (synonym != format_.synonyms.end()) return {synonym->second};
  return parse_unusual(text, parse_formatted(text, format_));
}

TypedCell CellParser::parse_unusual(std::string_view text, std::optional<double> number) const {
  const bool missing = (number && std::isnan(*number)) || missing_.contains(text);
  if (missing) return {0, CellState::missing};
  return number ? TypedCell{*number} : TypedCell{0, CellState::unparsable};
}

TypedCell CellParser::convert(double number) const {
  if (std::isnan(number)) return {0, CellState::missing};
  if (is_category_) return parse_level(fmt::format("{}", number));
  if (format_.date) return {0, CellState::unparsable};  // days since when, nobody says
  if (!format_.synonyms.empty()) {
    const auto synonym = format_.synonyms.find(fmt::format("{}", number));
    if (synonym != format_.synonyms.end()) return {synonym->second};
  }
  return missing_.contains(number) ? TypedCell{0, CellState::missing} : TypedCell{number};
}

TypedCell CellParser::convert(std::int64_t number) const {
  if (is_category_) return parse_level(fmt::format_int(number).str());
  return convert(static_cast<double>(number));
}

}  // namespace dpvi
