#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace dpvi {

// Tracks the iterates that a run of known length averages, in a few batches of steps. This is
// post-processing of releases, as the iterates are.
class IterateTrace {
 public:
  // In a run of default length, a batch is long enough to be nearly free of the previous batch's
  // noise.
  static constexpr std::size_t kBatches = 10;

  // Tracks the last `share` of the steps.
  IterateTrace(std::int64_t steps, double share, std::size_t size);

  void add(std::span<const double> iterate);

  // Number of iterates followed so far.
  std::int64_t iterates() const { return std::max<std::int64_t>(0, seen_ - first_); }

  // Means of all batches, in time order.
  const std::vector<std::vector<double>>& batch_means() const { return means_; }

  // Standard deviation of the mean of all iterates that is due to noise and sampling; NaN with
  // fewer than two batches.
  std::vector<double> mean_sd() const;

  // Effective sample size of the iterates.
  std::vector<double> effective_size() const;

  // Mean of the second half minus mean of the first.
  std::vector<double> drift() const;

  // Gelman & Rubin's R-hat of the first half against the second. It is near 1 if the iterates only
  // fluctuate around one place.
  std::vector<double> r_hat() const;

 private:
  struct Moments {
    double count = 0.0;
    double mean = 0.0;
    double variance = 0.0;
  };

  // Moments of one entry over the batches [first, last).
  Moments moments(std::size_t entry, std::size_t first, std::size_t last) const;

  std::int64_t first_;
  std::int64_t tail_;
  std::int64_t seen_ = 0;
  std::vector<double> counts_;
  std::vector<std::vector<double>> means_;
  std::vector<std::vector<double>> squares_;  // sums of squared deviations from the batch's mean
};

// Standard deviation of the mean of batch values, estimated from their scatter.
double sd_of_mean(std::span<const double> batch_values);

}  // namespace dpvi
