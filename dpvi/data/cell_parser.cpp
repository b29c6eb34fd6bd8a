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
    : is_category_(column.type == ColumnType::category), missing_(missing) {
  for (const std::string& level : column.levels) {
    codes_.emplace(level, static_cast<double>(codes_.size() + 1));
  }
}

TypedCell CellParser::parse_level(std::string_view text) const {
  const auto code = codes_.find(text);
  if (code != codes_.end()) return {code->second};
  return {0, missing_.contains(text) ? CellState::missing : CellState::unlisted_level};
}

TypedCell CellParser::parse_unusual(std::string_view text, std::optional<double> number) const {
  const bool missing = (number && std::isnan(*number)) || missing_.contains(text);
  if (missing) return {0, CellState::missing};
  return number ? TypedCell{*number} : TypedCell{0, CellState::unparsable};
}

TypedCell CellParser::convert(double number) const {
  if (std::isnan(number)) return {0, CellState::missing};
  if (is_category_) return parse_level(fmt::format("{}", number));
  return missing_.contains(number) ? TypedCell{0, CellState::missing} : TypedCell{number};
}

TypedCell CellParser::convert(std::int64_t number) const {
  if (is_category_) return parse_level(fmt::format_int(number).str());
  return convert(static_cast<double>(number));
}

}  // namespace dpvi
