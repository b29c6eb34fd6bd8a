#include <dpvi/fit/prepare/slice_sampler_internal.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

#include <dpvi/random/standard_normal.hpp>
#include <dpvi/random/unit_uniform.hpp>

namespace dpvi {
namespace {

constexpr double kFallen = 10.0;
constexpr double kFlatReach = 1.0;  // for a coordinate in which the density does not decay
constexpr std::size_t kMaxSweeps = 50;
constexpr std::size_t kMaxUpdates = 50'000;

}  // namespace

std::optional<std::vector<double>> SliceSampler::draw() {
  if (!begin()) return std::nullopt;
  sweep(kMaxSweeps);
  return theta_;
}

bool SliceSampler::begin() {
  if (!find_start()) return false;
  for (std::size_t i = 0; i < theta_.size(); ++i) {
    if (!fixed_[i] && !falls_off(i)) reach_[i] = kFlatReach;
  }
  for (std::size_t i = 0; i < theta_.size(); ++i) {
    theta_[i] = std::clamp(theta_[i], -reach_[i], reach_[i]);
  }
  value_ = value();
  return true;
}

double SliceSampler::redraw(std::size_t i) {
  constexpr int kUpdates = 3;
  for (int k = 0; k < kUpdates; ++k) update(i);
  return theta_[i];
}

const std::vector<double>& SliceSampler::another() {
  constexpr std::size_t kSweepsBetween = 5;
  sweep(kSweepsBetween);
  return theta_;
}

double SliceSampler::value() const {
  const double found = density_(theta_);
  return std::isnan(found) ? -kInfinity : found;
}

double SliceSampler::value_at(std::size_t i, double entry) {
  if (std::abs(entry) > reach_[i]) return -kInfinity;
  const double kept = std::exchange(theta_[i], entry);
  const double found = value();
  theta_[i] = kept;
  return found;
}

void SliceSampler::sweep(std::size_t times) {
  const std::size_t most = kMaxUpdates / std::max<std::size_t>(1, theta_.size()) + 1;
  for (std::size_t done = 0; done < std::min(times, most); ++done) {
    for (std::size_t i = 0; i < theta_.size(); ++i) {
      if (!fixed_[i]) update(i);
    }
  }
}

bool SliceSampler::find_start() {
  constexpr int kAttempts = 25;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    value_ = value();
    if (std::isfinite(value_)) return true;
    for (std::size_t i = 0; i < theta_.size(); ++i) {
      if (!fixed_[i]) theta_[i] = 0.5 * standard_normal(stream_);
    }
  }
  return false;
}

bool SliceSampler::falls_off(std::size_t i) {
  return value_at(i, far_out_[i]) < value_ - kFallen &&
         value_at(i, -far_out_[i]) < value_ - kFallen;
}

void SliceSampler::update(std::size_t i) {
  const double level = value_ + std::log1p(-unit_uniform(stream_));
  const double here = theta_[i];
  constexpr int kMaxSteps = 40;  // the distance doubles each time: enough for any prior
  double low = here - unit_uniform(stream_);
  double high = low + 1.0;
  for (int step = 0; step < kMaxSteps && value_at(i, low) > level; ++step) low -= here - low;
  for (int step = 0; step < kMaxSteps && value_at(i, high) > level; ++step) high += high - here;
  constexpr int kMaxShrinks = 200;
  for (int shrink = 0; shrink < kMaxShrinks; ++shrink) {
    const double entry = low + (high - low) * unit_uniform(stream_);
    const double found = value_at(i, entry);
    if (found >= level) {
      theta_[i] = entry;
      value_ = found;
      return;
    }
    (entry < here ? low : high) = entry;
  }
}

}  // namespace dpvi
