#include <dpvi/optim/tail_average.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>

namespace dpvi {

std::int64_t tail_length(std::int64_t steps, double share) {
  assert(share > 0.0 && share <= 1.0);
  const auto tail = static_cast<std::int64_t>(std::ceil(static_cast<double>(steps) * share));
  return std::max<std::int64_t>(tail, 1);
}

TailAverage::TailAverage(std::int64_t steps, double share, std::size_t parameter_count)
    : first_(steps - tail_length(steps, share)), mean_(parameter_count, 0.0) {}

void TailAverage::add(std::span<const double> parameters) {
  assert(parameters.size() == mean_.size());
  if (seen_++ >= first_) ++averaged_;
  const double weight = 1.0 / static_cast<double>(std::max<std::int64_t>(averaged_, 1));
  for (std::size_t i = 0; i < mean_.size(); ++i) mean_[i] += weight * (parameters[i] - mean_[i]);
}

}  // namespace dpvi
