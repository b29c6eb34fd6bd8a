#include <dpvi/fit/numerics/running_moments.hpp>

#include <cassert>
#include <cmath>

namespace dpvi {

void RunningMoments::add(std::span<const double> values) {
  if (count_ == 0.0) {
    means_.assign(values.size(), 0.0);
    squares_.assign(values.size(), 0.0);
  }
  assert(values.size() == means_.size());
  count_ += 1.0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double before = values[i] - means_[i];
    means_[i] += before / count_;
    squares_[i] += before * (values[i] - means_[i]);
  }
}

std::vector<double> RunningMoments::standard_deviations() const {
  std::vector<double> sds;
  for (const double square : squares_) sds.push_back(std::sqrt(square / (count_ - 1.0)));
  return sds;
}

}  // namespace dpvi
