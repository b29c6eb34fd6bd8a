#include <dpvi/data/cell_reader.hpp>

#include <algorithm>
#include <cmath>

#include <dpvi/data/number_text.hpp>

namespace dpvi {
namespace {

bool spells_number(const std::string& text) {
  const std::optional<double> number = parse_number(text);
  return number && !std::isnan(*number);
}

}  // namespace

CellReader::CellReader(const BoundColumn& column, std::span<const std::string> missing)
    : column_(column),
      missing_(missing),
      numbers_mean_missing_(std::any_of(missing.begin(), missing.end(), spells_number)) {
  for (const std::string& level : column.levels) {
    codes_.emplace(level, static_cast<double>(codes_.size() + 1));
  }
}

bool CellReader::means_missing(std::string_view text) const {
  return std::find(missing_.begin(), missing_.end(), text) != missing_.end();
}

bool CellReader::is_missing(std::string_view cell, std::optional<double> number) const {
  if (number && std::isnan(*number)) return true;
  return (!number || numbers_mean_missing_) && means_missing(without_blanks(cell));
}

CellValue CellReader::replaced(CellFate fate) const {
  return {column_.value_if_missing.value_or(0.0), fate, column_.value_if_missing.has_value()};
}

CellValue CellReader::read_level(std::string_view cell) const {
  const auto code = codes_.find(cell);
  if (code != codes_.end()) return {code->second};
  return replaced(means_missing(without_blanks(cell)) ? CellFate::missing
                                                      : CellFate::unlisted_level);
}

CellValue CellReader::read(std::string_view cell) const {
  if (column_.type == ColumnType::category) return read_level(cell);
  const std::optional<double> number = parse_number(cell);
  const bool missing = is_missing(cell, number);
  if (!missing && !number) return {0.0, CellFate::unparsable, false};
  const CellValue value = missing ? replaced(CellFate::missing) : CellValue{*number};
  if (!value.usable) return value;
  const bool inside = value.number >= column_.lower && value.number <= column_.upper;
  if (column_.type == ColumnType::real) {
    if (inside) return value;
    return {clamped_to(column_, value.number), CellFate::clamped, true};
  }
  if (inside && std::trunc(value.number) == value.number) return value;
  return {value.number, CellFate::out_of_range, false};
}

}  // namespace dpvi
