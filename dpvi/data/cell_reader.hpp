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

// Outcome of reading a cell under the declarations of its column.
enum class CellFate : std::uint8_t {
  as_written,
  clamped,         // a real outside its bounds
  missing,         // replaced if the schema gives a replacement value
  unlisted_level,  // replaced under the same rule
  unparsable,      // not a number
  out_of_range     // integer outside its bounds, fraction in an integer column, or infinite number
                   // without a bound
};

// A number on the scale of the column. If it is not usable, the row must contribute zero.
struct CellValue {
  double number = 0;
  CellFate fate = CellFate::as_written;
  bool usable = true;
};

// The only code that converts cell texts to numbers.
class CellReader {
 public:
  // Both arguments must outlive this object.
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
  bool numbers_mean_missing_;  // a text that means missing spells a number
};

// If lower exceeds upper, the program is at fault and the result is arbitrary.
template <typename Bounded>
double clamped_to(const Bounded& bounds, double number) {
  return std::min(std::max(number, bounds.lower), bounds.upper);
}

// Value of the slot before its bounds are applied.
inline double unbounded_in_slot(const Slot& slot, double number) {
  if (slot.level > 0) return number == static_cast<double>(slot.level) ? 1.0 : 0.0;
  return (number - slot.subtract) / slot.divide;
}

// Value of the slot for a number of its column, or nullopt if the row must contribute zero.
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
