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

enum class RowFate : std::uint8_t {
  stays,
  without_id,   // its unit's cell is empty or means missing
  beyond_limit  // its unit has as many rows as it may have
};

struct UnitRow {
  RowFate fate;
  std::uint32_t unit = 0;  // of a row that stays: 0, 1, ... in the order in which units are met
};

// Tells, row after row in the order of the file, whose row it is. The first rows of a unit stay,
// whatever else they hold. Ids are compared byte for byte.
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
