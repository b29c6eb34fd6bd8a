#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <dpvi/gradient/clip_block.hpp>
#include <tests/support/lane_block.hpp>

namespace dpvi {

// What a clipper may get wrong on purpose.
enum class ClipMutation {
  none,
  truncated_check,  // the sum of squares is kept in 32 bits
  no_rescue         // a record that rounding lifts above the bound is dropped
};

// The clipper told once more, a record at a time and without lanes: an oracle for the real one, and
// the ground on which its mutants stand.
template <class T>
std::vector<std::int32_t> reference_clip(const ClipTarget& target, const std::vector<T>& record,
                                         ClipMutation mutation = ClipMutation::none) {
  const std::vector<std::int32_t> zero(record.size(), 0);
  double largest = 0.0;
  for (const T entry : record) {
    if (!std::isfinite(entry)) return zero;
    largest = std::fmax(largest, std::fabs(static_cast<double>(entry)));
  }
  // Halves the exponent range of doubles; powers of two change no digit.
  int exponent = 0;
  if constexpr (sizeof(T) == sizeof(double)) {
    exponent = largest == 0.0 ? -1023 : std::max(std::ilogb(largest), -1023);
    exponent = std::min(exponent, 1022);
  }
  double square_sum = 0.0;
  std::vector<double> entries;
  for (const T entry : record) {
    entries.push_back(std::ldexp(static_cast<double>(entry), -exponent));
    square_sum += entries.back() * entries.back();
  }
  const double bound = static_cast<double>(target.integer_bound);
  const double factor =
      std::fmin(std::ldexp(bound / target.clip_bound, exponent), bound / std::sqrt(square_sum));

  const auto within = [&](const std::vector<std::int32_t>& integers) {
    unsigned __int128 squares = exact_square_sum(integers);
    if (mutation == ClipMutation::truncated_check) squares = static_cast<std::uint32_t>(squares);
    return squares <= exact_square(target.integer_bound);
  };
  std::vector<std::int32_t> integers = zero;
  for (std::size_t j = 0; j < record.size(); ++j) {
    const double scaled = entries[j] * factor;
    integers[j] = static_cast<std::int32_t>(scaled + std::copysign(0.5, scaled));
  }
  if (within(integers)) return integers;
  if (mutation == ClipMutation::no_rescue) return zero;
  for (std::size_t j = 0; j < record.size(); ++j) {
    integers[j] = static_cast<std::int32_t>(entries[j] * factor);
  }
  if (within(integers)) return integers;
  const double norm = std::sqrt(static_cast<double>(exact_square_sum(integers)));
  for (std::int32_t& n : integers) {
    n = static_cast<std::int32_t>(n * (bound / norm * (1.0 - 0x1p-40)));
  }
  return within(integers) ? integers : zero;
}

}  // namespace dpvi
