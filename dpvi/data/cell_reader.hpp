#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

#include <dpvi/data/binding.hpp>
#include <dpvi/data/text_hash.hpp>

namespace dpvi {

// How a cell's text stands to what is declared of its column.
enum class CellFate : std::uint8_t {
  as_written,
  clamped,         // a real outside its bounds
  missing,         // replaced where the schema says by what
  unlisted_level,  // likewise
  unparsable,      // no number at all
  out_of_range     // an integer outside its bounds, a fraction where an integer is wanted, an
                   // infinite number that nothing bounds
};

// A number on the column's own scale. Not usable: the row must contribute zero.
struct CellValue {
  double number = 0;
  CellFate fate = CellFate::as_written;
  bool usable = true;
};

// The one place where texts become numbers.
class CellReader {
 public:
  // Both must outlive this.
  CellReader(const BoundColumn& column, std::span<const std::string> missing);

  CellValue read(std::string_view cell) const;

 private:
  CellValue read_level(std::string_view cell) const;
  CellValue replaced(CellFate fate) const;
  bool is_missing(std::string_view cell, std::optional<double> number) const;
  bool means_missing(std::string_view text) const;

  const BoundColumn& column_;
  std::unordered_map<std::string, double, TextHash, std::equal_to<>> codes_;
  std::span<const std::string> missing_;
  bool numbers_mean_missing_;  // some text that means missing spells a number
};

// Bounds that exclude each other are the program's own mistake; any number will do then.
template <typename Bounded>
double clamped_to(const Bounded& bounds, double number) {
  return std::min(std::max(number, bounds.lower), bounds.upper);
}

// Before the slot's bounds had their say.
inline double unbounded_in_slot(const Slot& slot, double number) {
  if (slot.level > 0) return number == static_cast<double>(slot.level) ? 1.0 : 0.0;
  return (number - slot.subtract) / slot.divide;
}

// What a slot holds for a column's number; nothing if the row must contribute zero.
inline std::optional<double> real_in_slot(const Slot& slot, double number) {
  const double value = clamped_to(slot, unbounded_in_slot(slot, number));
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

inline std::optional<std::int32_t> integer_in_slot(const Slot& slot, double number) {
  const double value = unbounded_in_slot(slot, number);
  constexpr double kLargest = std::numeric_limits<std::int32_t>::max();
  const bool inside = value >= slot.lower && value <= slot.upper && std::abs(value) <= kLargest;
  return inside ? std::optional(static_cast<std::int32_t>(value)) : std::nullopt;
}

}  // namespace dpvi
