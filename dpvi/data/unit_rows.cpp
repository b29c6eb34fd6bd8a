#include <dpvi/data/unit_rows.hpp>

#include <dpvi/data/column_source.hpp>

namespace dpvi {

RowStatus UnitRows::take(std::uint32_t unit) {
  if (unit == TypedBlock::kNoUnit) return RowStatus::without_id;
  if (unit == rows_of_unit_.size()) rows_of_unit_.push_back(0);
  std::uint32_t& rows = rows_of_unit_[unit];
  if (rows == max_rows_) return RowStatus::beyond_limit;
  ++rows;
  return RowStatus::stays;
}

}  // namespace dpvi
