#include <dpvi/privacy/noise_grid.hpp>

#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <dpvi/base/error.hpp>

namespace dpvi {
namespace {

constexpr double kStd = static_cast<double>(NoiseGrid::kNoiseStd);

// True if a * b exceeds 2^24. The sign is exact because fma rounds the exact difference once.
bool product_exceeds_std(double a, double b) { return std::fma(a, b, -kStd) > 0.0; }

}  // namespace

NoiseGrid::NoiseGrid(double requested_noise_multiplier) {
  constexpr double kSmallest = kStd / static_cast<double>(kLargestIntegerBound);
  // Written so that a NaN fails too.
  const bool usable = requested_noise_multiplier >= kSmallest && requested_noise_multiplier <= kStd;
  if (!usable) {
    throw UsageError(kValueOutsideRule,
                     fmt::format("noise_multiplier is {}; it must be between {} and {}.",
                                 requested_noise_multiplier, kSmallest, kStd),
                     "Ask for another epsilon, sampling rate or number of steps.");
  }
  double bound = std::floor(kStd / requested_noise_multiplier);
  if (product_exceeds_std(bound, requested_noise_multiplier)) bound -= 1.0;
  integer_bound_ = static_cast<std::int64_t>(bound);
}

NoiseGrid NoiseGrid::with_integer_bound(std::int64_t bound) {
  if (bound < 1 || bound > kLargestIntegerBound) {
    throw UsageError(kValueOutsideRule,
                     fmt::format("the integer clip bound is {}; it must be between 1 and {}.",
                                 bound, kLargestIntegerBound),
                     "Ask for another noise multiplier.");
  }
  return {Exact{}, bound};
}

double NoiseGrid::noise_multiplier() const {
  const double bound = static_cast<double>(integer_bound_);
  const double ratio = kStd / bound;
  return product_exceeds_std(ratio, bound) ? std::nextafter(ratio, 0.0) : ratio;
}

std::uint64_t NoiseGrid::largest_batch() const {
  constexpr std::int64_t kRoom = std::numeric_limits<std::int64_t>::max() - 64 * kNoiseStd;
  return static_cast<std::uint64_t>(kRoom / integer_bound_);
}

void NoiseGrid::check_batch(std::uint64_t max_records) const {
  if (max_records <= largest_batch()) return;
  throw UsageError(
      kTooLarge,
      fmt::format("a batch of up to {} records is planned; at noise multiplier {} the integer sum "
                  "holds at most {}.",
                  max_records, noise_multiplier(), largest_batch()),
      "Use a larger noise multiplier or fewer records.");
}

}  // namespace dpvi
