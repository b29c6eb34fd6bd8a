#include <dpvi/optim/adaptive_clip_bound.hpp>

#include <algorithm>
#include <cmath>

namespace dpvi {
namespace {

// Over a whole run the target moves by about this share of the first bound's spread.
constexpr double kMovedShare = 0.4;
// At most this multiple of the observed excess share enters the log bound, and no step is longer
// than kLongestStep: the share says little about a large distance.
constexpr double kLargestGain = 1.0;
constexpr double kLongestStep = 0.3;
// Range that the clipper accepts.
constexpr double kLowest = 1e-100, kHighest = 1e100;

}  // namespace

AdaptiveClipBound::AdaptiveClipBound(const AdaptiveClipSettings& settings,
                                     const AdaptiveClipPhase& phase)
    : settings_(settings),
      bound_(settings.first_bound),
      distance_(settings.first_spread * settings.first_spread) {
  const double share = settings.coordinate.unshortened_share;
  // Log norms have a standard deviation of about .6, so their density at the target quantile is
  // near this.
  slope_ = 3.0 * share * (1.0 - share);
  drift_ = kMovedShare * kMovedShare * distance_ / std::max(1.0, settings.steps);
  start_phase(phase);
}

void AdaptiveClipBound::start_phase(const AdaptiveClipPhase& phase) {
  phase_ = {phase.noise_multiplier, std::max(1.0, phase.expected_batch)};
  const double share = settings_.coordinate.unshortened_share;
  const double noise = phase_.noise_multiplier * settings_.coordinate.larger_share() /
                       (settings_.coordinate.size * phase_.expected_batch);
  const double sampling = share * (1.0 - share) / phase_.expected_batch;
  observation_ = (noise * noise + sampling) / (slope_ * slope_);
}

void AdaptiveClipBound::start_phase(const AdaptiveClipPhase& phase, double bound) {
  bound_ = bound;
  distance_ = settings_.first_spread * settings_.first_spread;
  start_phase(phase);
}

void AdaptiveClipBound::move(const Released& released) {
  const double excess = released.values().back() / bound_ * settings_.coordinate.larger_share() /
                        (settings_.coordinate.size * phase_.expected_batch);
  const double gain = std::min(distance_ / (distance_ + observation_), kLargestGain * slope_);
  const double step = std::clamp(gain / slope_ * excess, -kLongestStep, kLongestStep);
  bound_ = std::clamp(bound_ * std::exp(step), kLowest, kHighest);
  // Joseph's form of the update, which is valid for any gain, including a capped one.
  distance_ = (1.0 - gain) * (1.0 - gain) * distance_ + gain * gain * observation_ + drift_;
}

}  // namespace dpvi
