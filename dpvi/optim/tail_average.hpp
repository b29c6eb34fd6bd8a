#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace dpvi {

// Number of steps in the tail of a run: a share in (0, 1] of its steps, counted from the end, and
// at least one.
std::int64_t tail_length(std::int64_t steps, double share);

// Mean of the last iterates of a run of known length. With a constant step size, the mean carries
// far less noise than the last iterate.
class TailAverage {
 public:
  TailAverage(std::int64_t steps, double share, std::size_t parameter_count);

  void add(std::span<const double> parameters);

  // Mean of the tail so far, or the last iterate if the tail has not begun.
  const std::vector<double>& mean() const { return mean_; }

 private:
  std::int64_t first_;
  std::int64_t seen_ = 0;
  std::int64_t averaged_ = 0;
  std::vector<double> mean_;
};

}  // namespace dpvi
