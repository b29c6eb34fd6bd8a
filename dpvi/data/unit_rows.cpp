#include <dpvi/data/unit_rows.hpp>

#include <algorithm>

#include <dpvi/data/number_text.hpp>

namespace dpvi {

UnitRows::UnitRows(const UnitColumn& column, std::span<const std::string> missing)
    : column_(column), missing_(missing.begin(), missing.end()) {}

UnitRow UnitRows::take(std::span<const std::string_view> cells) {
  const std::string_view id = cells[column_.position];
  const std::string_view text = without_blanks(id);
  const bool missing =
      text.empty() || std::find(missing_.begin(), missing_.end(), text) != missing_.end();
  if (missing) return {RowStatus::without_id};
  auto found = units_.find(id);
  if (found == units_.end()) {
    found = units_.emplace(id, static_cast<std::uint32_t>(rows_of_unit_.size())).first;
    rows_of_unit_.push_back(0);
  }
  std::uint32_t& rows = rows_of_unit_[found->second];
  if (rows == column_.max_rows) return {RowStatus::beyond_limit};
  ++rows;
  return {RowStatus::stays, found->second};
}

}  // namespace dpvi
