#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace dpvi {

// Standard deviations of the entries of vectors that are seen one at a time (Welford 1962).
class RunningMoments {
 public:
  // All vectors have the size of the first.
  void add(std::span<const double> values);

  // With divisor n - 1. NaN for an entry that was NaN or infinite once, and with fewer than two
  // vectors.
  std::vector<double> standard_deviations() const;

 private:
  double count_ = 0.0;
  std::vector<double> means_;
  std::vector<double> squares_;  // sums of squared deviations from the mean
};

}  // namespace dpvi
