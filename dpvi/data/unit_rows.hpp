#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <dpvi/data/binding.hpp>
#include <dpvi/data/text_hash.hpp>

namespace dpvi {

enum class RowStatus : std::uint8_t {
  stays,
  without_id,   // the cell of its unit is empty or means missing
  beyond_limit  // its unit has reached its row limit
};

struct UnitRow {
  RowStatus fate;
  std::uint32_t unit = 0;  // for rows that stay: 0, 1, ... in order of first appearance
};

// Assigns rows to units, row by row in file order. The first rows of a unit stay, regardless of
// their other cells. Ids are compared byte for byte.
class UnitRows {
 public:
  UnitRows(const UnitColumn& column, std::span<const std::string> missing);

  // `cells` is indexed by UnitColumn::position.
  UnitRow take(std::span<const std::string_view> cells);

  std::uint64_t unit_count() const { return rows_of_unit_.size(); }

 private:
  UnitColumn column_;
  std::vector<std::string> missing_;
  std::unordered_map<std::string, std::uint32_t, TextHash, std::equal_to<>> units_;
  std::vector<std::uint32_t> rows_of_unit_;
};

}  // namespace dpvi
