#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace dpvi {

// Follows the iterates that a run of known length averages, in a few batches of steps. Post-
// processing of releases, as the iterates are.
class IterateTrace {
 public:
  // Long enough to forget, in a run of default length, what noise did to the batch before.
  static constexpr std::size_t kBatches = 10;

  // Follows the last `share` of the steps.
  IterateTrace(std::int64_t steps, double share, std::size_t size);

  void add(std::span<const double> iterate);

  // How many iterates it has followed so far.
  std::int64_t iterates() const { return std::max<std::int64_t>(0, seen_ - first_); }

  // Means over the batches that have begun, in time.
  const std::vector<std::vector<double>>& batch_means() const { return means_; }

  // Standard deviation of the mean of all iterates, which the noise and the sampling caused; NaN
  // with fewer than two batches.
  std::vector<double> mean_sd() const;

  // As many independent iterates would have a mean that certain.
  std::vector<double> effective_size() const;

  // Gelman & Rubin's, of the first half against the second: near 1 if the iterates only wander
  // about one place.
  std::vector<double> r_hat() const;

 private:
  struct Moments {
    double count = 0.0;
    double mean = 0.0;
    double variance = 0.0;
  };

  // Of one entry over the batches from `first` on, before `last`.
  Moments moments(std::size_t entry, std::size_t first, std::size_t last) const;

  std::int64_t first_;
  std::int64_t tail_;
  std::int64_t seen_ = 0;
  std::vector<double> counts_;
  std::vector<std::vector<double>> means_;
  std::vector<std::vector<double>> squares_;  // sums of squared distances from the batch's mean
};

// The standard deviation of the mean of batches that is seen in their scatter.
double sd_of_mean(std::span<const double> batch_values);

}  // namespace dpvi
