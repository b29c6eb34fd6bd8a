#include <dpvi/optim/iterate_trace.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>

#include <dpvi/optim/tail_average.hpp>

namespace dpvi {

double sd_of_mean(std::span<const double> batch_values) {
  const double count = static_cast<double>(batch_values.size());
  double mean = 0.0;
  for (const double value : batch_values) mean += value / count;
  double squares = 0.0;
  for (const double value : batch_values) squares += (value - mean) * (value - mean);
  return std::sqrt(squares / (count - 1.0) / count);
}

IterateTrace::IterateTrace(std::int64_t steps, double share, std::size_t size)
    : first_(steps - tail_length(steps, share)),
      tail_(tail_length(steps, share)),
      counts_(static_cast<std::size_t>(std::min<std::int64_t>(kBatches, tail_)), 0.0),
      means_(counts_.size(), std::vector<double>(size, 0.0)),
      squares_(means_) {}

void IterateTrace::add(std::span<const double> iterate) {
  const std::int64_t place = seen_++ - first_;
  if (place < 0) return;
  const auto batches = static_cast<std::int64_t>(counts_.size());
  const auto batch = static_cast<std::size_t>(std::min(place * batches / tail_, batches - 1));
  assert(iterate.size() == means_[batch].size());
  counts_[batch] += 1.0;
  for (std::size_t i = 0; i < iterate.size(); ++i) {
    const double distance = iterate[i] - means_[batch][i];
    means_[batch][i] += distance / counts_[batch];
    squares_[batch][i] += distance * (iterate[i] - means_[batch][i]);
  }
}

IterateTrace::Moments IterateTrace::moments(std::size_t entry, std::size_t first,
                                            std::size_t last) const {
  Moments result;
  for (std::size_t batch = first; batch < last; ++batch) {
    result.count += counts_[batch];
    result.mean += counts_[batch] * means_[batch][entry];
  }
  result.mean /= result.count;
  for (std::size_t batch = first; batch < last; ++batch) {
    const double distance = means_[batch][entry] - result.mean;
    result.variance += squares_[batch][entry] + counts_[batch] * distance * distance;
  }
  result.variance /= result.count - 1.0;
  return result;
}

std::vector<double> IterateTrace::mean_sd() const {
  std::vector<double> result, column(means_.size());
  for (std::size_t i = 0; i < means_[0].size(); ++i) {
    for (std::size_t batch = 0; batch < means_.size(); ++batch) column[batch] = means_[batch][i];
    result.push_back(sd_of_mean(column));
  }
  return result;
}

std::vector<double> IterateTrace::effective_size() const {
  std::vector<double> result = mean_sd();
  for (std::size_t i = 0; i < result.size(); ++i) {
    result[i] = moments(i, 0, means_.size()).variance / (result[i] * result[i]);
  }
  return result;
}

std::vector<double> IterateTrace::drift() const {
  std::vector<double> result;
  const std::size_t half = means_.size() / 2;
  for (std::size_t i = 0; i < means_[0].size(); ++i) {
    result.push_back(moments(i, half, means_.size()).mean - moments(i, 0, half).mean);
  }
  return result;
}

std::vector<double> IterateTrace::r_hat() const {
  std::vector<double> result;
  const std::size_t half = means_.size() / 2;
  for (std::size_t i = 0; i < means_[0].size(); ++i) {
    const Moments one = moments(i, 0, half);
    const Moments two = moments(i, half, means_.size());
    const double within = 0.5 * (one.variance + two.variance);
    const double between = 0.5 * (one.mean - two.mean) * (one.mean - two.mean);
    const double count = 0.5 * (one.count + two.count);
    result.push_back(std::sqrt((count - 1.0) / count + between / within));
  }
  return result;
}

}  // namespace dpvi
