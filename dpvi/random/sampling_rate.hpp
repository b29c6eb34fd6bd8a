#pragma once

#include <cstdint>

namespace dpvi {

// The probability q = Q/2^64, 1 <= Q <= 2^64, with which each record independently takes part in a
// step. The sampler draws with exactly this probability and the accountant is given exactly this
// number, so no rounding comes between the two.
class SamplingRate {
 public:
  // The smallest such rate not below `rate`: Q = ceil(rate * 2^64). Throws UsageError outside (0,
  // 1].
  static SamplingRate from_double(double rate);

  // Exactly Q/2^64, and never below the requested rate. It is exact because ceil(rate * 2^64) has
  // at most 53 significant bits: for a rate of 2^-11 or more it is rate * 2^64 itself, and for a
  // smaller rate it is an integer of at most 2^53.
  double value() const;

  // A uniform 64-bit word w selects a record if w <= last_selecting_word(), which is Q - 1.
  std::uint64_t last_selecting_word() const { return last_; }

  bool selects_all() const { return last_ == UINT64_MAX; }

  friend bool operator==(const SamplingRate&, const SamplingRate&) = default;

 private:
  explicit SamplingRate(std::uint64_t last) : last_(last) {}

  std::uint64_t last_;
};

}  // namespace dpvi
