#include <dpvi/privacy/loss_moments.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace dpvi {

LossMoments::LossMoments(const DominatingPair<double>& pair, double first, double last) {
  // The loss varies on the scale s^2, the density on the scale s.
  const double wanted_step = std::min(0.25 * pair.noise, pair.noise * pair.noise);
  const double wanted_count = (last - first) / wanted_step;
  const auto count = static_cast<std::size_t>(std::clamp(wanted_count, 64.0, 4096.0));
  const double step = (last - first) / static_cast<double>(count);
  double total = 0;
  for (std::size_t i = 0; i <= count; ++i) {
    const double x = first + static_cast<double>(i) * step;
    const auto density = [&](double mean) {
      const double z = (x - mean) / pair.noise;
      return std::exp(-z * z / 2);
    };
    loss_.push_back(pair.loss(x));
    mass_.push_back((1 - pair.up) * density(0) + pair.up * density(1));
    total += mass_.back();
  }
  for (double& mass : mass_) mass /= total;
}

Cumulants LossMoments::at(double tilt) const {
  const double shift = tilt * (tilt > 0 ? loss_.back() : loss_.front());
  double sum = 0, first = 0, second = 0;
  for (std::size_t i = 0; i < loss_.size(); ++i) {
    const double weight = mass_[i] * std::exp(tilt * loss_[i] - shift);
    sum += weight;
    first += weight * loss_[i];
    second += weight * loss_[i] * loss_[i];
  }
  const double mean = first / sum;
  double variance = 0;
  if (second / sum > 4 * mean * mean) {
    variance = second / sum - mean * mean;
  } else {
    for (std::size_t i = 0; i < loss_.size(); ++i)
      variance += mass_[i] * std::exp(tilt * loss_[i] - shift) * (loss_[i] - mean) *
                  (loss_[i] - mean) / sum;
  }
  return {std::log(sum) + shift, mean, variance};
}

double LossMoments::log_moment(double tilt) const {
  const double shift = tilt * (tilt > 0 ? loss_.back() : loss_.front());
  double sum = 0;
  for (std::size_t i = 0; i < loss_.size(); ++i)
    sum += mass_[i] * std::exp(tilt * loss_[i] - shift);
  return std::log(sum) + shift;
}

}  // namespace dpvi
