#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <dpvi/gradient/clip_block.hpp>
#include <tests/support/lane_block.hpp>

namespace dpvi {

// Rounds the scaled gradient into the first entries of `integers`: to the nearest integers if their
// norm is within the bound, else towards zero, else shrunk.
inline std::vector<std::int32_t> round_within_bound(const ClipTarget& target,
                                                    const std::vector<double>& scaled,
                                                    std::vector<std::int32_t> integers) {
  const auto within_bound = [&] {
    return exact_square_sum(integers) <= exact_square(target.integer_bound);
  };
  for (std::size_t j = 0; j < scaled.size(); ++j) {
    integers[j] = static_cast<std::int32_t>(std::nearbyint(scaled[j]));
  }
  if (within_bound()) return integers;
  for (std::size_t j = 0; j < scaled.size(); ++j) {
    integers[j] = static_cast<std::int32_t>(scaled[j]);
  }
  if (within_bound()) return integers;
  const std::vector<std::int32_t> gradient(integers.begin(), integers.begin() + std::ssize(scaled));
  const double norm = std::sqrt(static_cast<double>(exact_square_sum(gradient)));
  const double bound = static_cast<double>(target.gradient_bound());
  for (std::size_t j = 0; j < scaled.size(); ++j) {
    integers[j] = static_cast<std::int32_t>(integers[j] * (bound / norm * (1.0 - 0x1p-40)));
  }
  return within_bound() ? integers : std::vector<std::int32_t>(target.width(), 0);
}

// An independent implementation of the clipping rule, one record at a time and without lanes: an
// oracle for the real one.
template <class T>
std::vector<std::int32_t> reference_clip(const ClipTarget& target, const std::vector<T>& record) {
  std::vector<std::int32_t> zero(target.width(), 0);
  double largest = 0.0;
  for (const T entry : record) {
    if (!std::isfinite(entry)) return zero;
    largest = std::fmax(largest, std::fabs(static_cast<double>(entry)));
  }
  // Centres the exponents of doubles; scaling by powers of two is exact.
  int exponent = 0;
  if constexpr (sizeof(T) == sizeof(double)) {
    exponent = largest == 0.0 ? -1023 : std::max(std::ilogb(largest), -1023);
    exponent = std::min(exponent, 1022);
  }
  double even_and_odd[2] = {0.0, 0.0};
  std::vector<double> entries;
  for (const T entry : record) {
    entries.push_back(std::ldexp(static_cast<double>(entry), -exponent));
    even_and_odd[(entries.size() - 1) % 2] += entries.back() * entries.back();
  }
  const double square_sum = even_and_odd[0] + even_and_odd[1];
  const double bound = static_cast<double>(target.gradient_bound());
  const double as_is =
      std::ldexp(static_cast<double>(target.integer_bound) / target.clip_bound, exponent);
  const double at_bound = bound / std::sqrt(square_sum);
  double factor = std::fmin(as_is, at_bound);
  if (target.normalise) {
    const double floor = std::ldexp(0.01 * target.clip_bound, -exponent);
    factor = bound / (std::sqrt(square_sum) + floor);
  }

  std::vector<std::int32_t> integers = zero;
  if (target.marks) {
    integers.back() = as_is < at_bound ? target.marks->unshortened : target.marks->shortened;
  }
  if (square_sum == 0.0) return integers;
  // In single precision a power of two keeps the factor in range.
  int shift = 0;
  if constexpr (sizeof(T) == sizeof(float)) {
    shift = std::clamp(std::ilogb(std::sqrt(square_sum)), -126, 126);
  }
  const T by_factor = static_cast<T>(std::ldexp(factor, shift));
  std::vector<double> scaled;
  const double limit = static_cast<double>(target.integer_bound);
  for (const double entry : entries) {
    const T product = static_cast<T>(std::ldexp(entry, -shift)) * by_factor;
    scaled.push_back(std::clamp(static_cast<double>(product), -limit, limit));
  }
  return round_within_bound(target, scaled, std::move(integers));
}

}  // namespace dpvi
