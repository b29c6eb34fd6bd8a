#pragma once

#include <cstdint>

namespace dpvi {

// The integer grid on which clipped gradients are summed and noised. The standard deviation of the
// noise, in grid steps, is the same for every run, so its sampler can be verified once. The number
// of grid steps in the clip bound sets the noise multiplier.
class NoiseGrid {
 public:
  static constexpr std::int64_t kNoiseStd = std::int64_t{1} << 24;
  // Keeps a clipped coordinate well within 32 bits; corresponds to a noise multiplier of 1/64.
  static constexpr std::int64_t kLargestIntegerBound = std::int64_t{1} << 30;

  // The largest integer bound whose noise multiplier is at least the one requested:
  // floor(2^24 / requested). Throws UsageError unless 1/64 <= requested <= 2^24.
  explicit NoiseGrid(double requested_noise_multiplier);

  // For a plan that states the integer bound. Throws UsageError unless 1 <= bound <= 2^30.
  static NoiseGrid with_integer_bound(std::int64_t bound);

  // The clip bound in grid steps.
  std::int64_t integer_bound() const { return integer_bound_; }

  // Guarantee: the accountant is never told of more noise than there is. The result is
  // 2^24 / integer_bound(), rounded down if a double cannot hold it, and at least the requested
  // multiplier. A grid made from the result equals this grid.
  double noise_multiplier() const;

  // Largest number of records whose integers, plus 64 standard deviations of noise, stay below
  // 2^63.
  std::uint64_t largest_batch() const;

  // Throws UsageError if a batch of max_records records could overflow the sum. max_records must be
  // a public number, such as the declared table size, never the size of a realised batch.
  void check_batch(std::uint64_t max_records) const;

  bool operator==(const NoiseGrid&) const = default;

 private:
  struct Exact {};
  NoiseGrid(Exact, std::int64_t bound) : integer_bound_(bound) {}

  std::int64_t integer_bound_;
};

}  // namespace dpvi
