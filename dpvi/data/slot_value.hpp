#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>

#include <dpvi/data/binding.hpp>

namespace dpvi {

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

// A value within the bounds of the slot, for rows of a table that does not have it.
inline double stand_in_for(const Slot& slot) {
  const bool low = std::isfinite(slot.lower);
  const bool high = std::isfinite(slot.upper);
  if (low && high) return 0.5 * (slot.lower + slot.upper);
  if (low) return slot.lower + 1.0;
  if (high) return slot.upper - 1.0;
  return 1.0;
}

inline std::int32_t integer_stand_in(const Slot& slot) {
  return integer_in_slot(slot, std::floor(stand_in_for(slot)) * slot.divide + slot.subtract)
      .value_or(1);
}

}  // namespace dpvi
