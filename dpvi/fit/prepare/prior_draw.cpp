#include <dpvi/fit/prepare/prior_draw.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <dpvi/random/standard_normal.hpp>
#include <dpvi/random/unit_uniform.hpp>

namespace dpvi {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// At this distance every proper prior has fallen by far more than kFallen.
constexpr double kFarOut = 1e6;
constexpr double kFallen = 10.0;
constexpr double kFlatReach = 1.0;  // for a parameter without a prior of its own
constexpr std::size_t kMaxSweeps = 50;
constexpr std::size_t kMaxUpdates = 50'000;

// Coordinate-wise slice sampling (Neal 2003). The interval grows until it contains the slice, then
// shrinks. It is exact in the limit for priors that are unimodal in each coordinate.
class SliceSampler {
 public:
  SliceSampler(const UniformFunction& prior, SeededStream& stream, std::size_t size)
      : prior_(prior), stream_(stream), theta_(size), reach_(size, kInfinity) {}

  std::optional<std::vector<double>> draw() {
    if (!begin()) return std::nullopt;
    sweep(kMaxSweeps);
    return theta_;
  }

  // Finds a point where the prior is defined. Returns false if there is none.
  bool begin() {
    if (!find_start()) return false;
    for (std::size_t i = 0; i < theta_.size(); ++i) {
      if (!falls_off(i)) reach_[i] = kFlatReach;
    }
    for (std::size_t i = 0; i < theta_.size(); ++i) {
      theta_[i] = std::clamp(theta_[i], -reach_[i], reach_[i]);
    }
    value_ = value();
    return true;
  }

  const std::vector<double>& theta() const { return theta_; }
  // False for a parameter whose prior does not decay. Call after begin().
  bool decays(std::size_t i) const { return std::isinf(reach_[i]); }
  // Draws one entry given the others. Call after begin().
  double redraw(std::size_t i) {
    constexpr int kUpdates = 3;
    for (int k = 0; k < kUpdates; ++k) update(i);
    return theta_[i];
  }

  // Call after draw().
  const std::vector<double>& another() {
    constexpr std::size_t kSweepsBetween = 5;
    sweep(kSweepsBetween);
    return theta_;
  }

 private:
  double value() const {
    const double found = prior_.value(theta_);
    return std::isnan(found) ? -kInfinity : found;
  }

  double value_at(std::size_t i, double entry) {
    if (std::abs(entry) > reach_[i]) return -kInfinity;
    const double kept = std::exchange(theta_[i], entry);
    const double found = value();
    theta_[i] = kept;
    return found;
  }

  void sweep(std::size_t times) {
    const std::size_t most = kMaxUpdates / std::max<std::size_t>(1, theta_.size()) + 1;
    for (std::size_t done = 0; done < std::min(times, most); ++done) {
      for (std::size_t i = 0; i < theta_.size(); ++i) update(i);
    }
  }

  bool find_start() {
    constexpr int kAttempts = 25;
    for (int attempt = 0; attempt < kAttempts; ++attempt) {
      value_ = value();
      if (std::isfinite(value_)) return true;
      for (double& entry : theta_) entry = 0.5 * standard_normal(stream_);
    }
    return false;
  }

  bool falls_off(std::size_t i) {
    return value_at(i, kFarOut) < value_ - kFallen && value_at(i, -kFarOut) < value_ - kFallen;
  }

  void update(std::size_t i) {
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

  const UniformFunction& prior_;
  SeededStream& stream_;
  std::vector<double> theta_;
  std::vector<double> reach_;
  double value_ = 0.0;
};

// True if the prior's slope in entry i does not depend on the other entries, as far as it is
// defined near theta.
bool stands_alone(const UniformFunction& prior, std::vector<double> theta, std::size_t i,
                  SeededStream& stream) {
  constexpr int kPoints = 4;
  constexpr double kTolerance = 1e-9;
  const double here = theta[i] + 0.5;  // not at a point where the slope may vanish by symmetry
  std::vector<double> gradient(theta.size()), slopes;
  for (int point = 0; point < kPoints; ++point) {
    theta[i] = here;
    if (std::isfinite(prior.value_and_gradient(theta, gradient))) slopes.push_back(gradient[i]);
    for (double& entry : theta) entry += 0.3 * standard_normal(stream);
  }
  return slopes.size() > 1 && std::ranges::all_of(slopes, [&](double slope) {
           return std::abs(slope - slopes[0]) <= kTolerance * (1.0 + std::abs(slopes[0]));
         });
}

double median(std::vector<double>& values) {
  const auto middle = values.begin() + std::ssize(values) / 2;
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace

std::optional<std::vector<double>> draw_from_prior(const UniformFunction& prior, std::size_t size,
                                                   SeededStream& stream) {
  return SliceSampler(prior, stream, size).draw();
}

std::vector<std::vector<double>> draws_from_prior(const UniformFunction& prior, std::size_t size,
                                                  std::size_t count, SeededStream& stream) {
  SliceSampler sampler(prior, stream, size);
  std::vector<std::vector<double>> draws;
  if (count == 0 || !sampler.draw()) return draws;
  while (draws.size() < count) draws.push_back(sampler.another());
  return draws;
}

std::optional<PriorSpread> prior_spread(const UniformFunction& prior, std::size_t size,
                                        SeededStream& stream) {
  constexpr std::size_t kMostParameters = 200, kEntries = 4000;
  constexpr double kSdsPerDistance = 1.4826;
  if (size > kMostParameters) return std::nullopt;
  SliceSampler sampler(prior, stream, size);
  if (!sampler.begin()) return std::nullopt;
  const std::size_t count = std::clamp<std::size_t>(kEntries / size, 20, 200);
  PriorSpread spread{std::vector<double>(size, 0.0), std::vector<double>(size, kInfinity)};
  const std::vector<double> start = sampler.theta();
  for (std::size_t i = 0; i < size; ++i) {
    if (!sampler.decays(i) || !stands_alone(prior, start, i, stream)) continue;
    std::vector<double> entries;
    while (entries.size() < count) entries.push_back(sampler.redraw(i));
    spread.centre[i] = median(entries);
    for (double& entry : entries) entry = std::abs(entry - spread.centre[i]);
    spread.sd[i] = kSdsPerDistance * median(entries);
  }
  return spread;
}

}  // namespace dpvi
