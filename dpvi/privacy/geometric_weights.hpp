#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace dpvi {

// Computes e^(rate * i + offset) for consecutive integers i, with one multiplication each. The
// relative error is at most 2^-53 * (8 + 2 |rate * i| + 2 |offset|).
class GeometricWeights {
 public:
  GeometricWeights(double rate, double offset) : rate_(rate), offset_(offset) {
    for (std::size_t i = 0; i < kBlock; ++i) table_[i] = std::exp(rate * static_cast<double>(i));
  }

  double operator()(std::int64_t i) {
    const std::int64_t block = i >> kShift;
    if (block != block_) {
      block_ = block;
      anchor_ = std::exp(rate_ * static_cast<double>(block << kShift) + offset_);
    }
    return anchor_ * table_[static_cast<std::size_t>(i - (block << kShift))];
  }

 private:
  static constexpr int kShift = 6;
  static constexpr std::size_t kBlock = std::size_t{1} << kShift;

  double rate_, offset_;
  std::array<double, kBlock> table_{};
  std::int64_t block_ = INT64_MIN;
  double anchor_ = 0;
};

}  // namespace dpvi
