#pragma once

#include <dpvi/privacy/clip_coordinate.hpp>
#include <dpvi/privacy/released.hpp>

namespace dpvi {

// Public numbers that determine how the clip bound moves.
struct AdaptiveClipSettings {
  double first_bound = 1.0;
  double first_spread = 1.5;  // plausible error of the logarithm of the first bound
  ClipCoordinate coordinate;
  double steps = 1000.0;
};

// Settings of one phase of the run.
struct AdaptiveClipPhase {
  double noise_multiplier = 1.0;
  double expected_batch = 1.0;  // declared rows times sampling rate; errors affect only speed
};

// Moves the clip bound until the target share of records, set by the clip coordinate, stays below
// it.
//
// The last value of each release is an observation. Divided by the clip bound, it is size / g times
// the number of records by which the shortened ones exceed their target share 1 - g, plus noise of
// known size (the noise multiplier). A Kalman filter estimates the distance between the bound's
// logarithm and its target, and turns the observation into a step. Steps are large while little is
// known, then as small as the noise demands.
//
// Guarantee: the bound is a function of releases and public numbers alone.
class AdaptiveClipBound {
 public:
  AdaptiveClipBound(const AdaptiveClipSettings& settings, const AdaptiveClipPhase& phase);

  double value() const { return bound_; }

  // Applies from the next release on.
  void start_phase(const AdaptiveClipPhase& phase);
  // The same, but continues from `bound`, with the uncertainty of the first bound.
  void start_phase(const AdaptiveClipPhase& phase, double bound);

  // Must be called with every release made under value(), before the next release.
  void move(const Released& released);

 private:
  AdaptiveClipSettings settings_;
  AdaptiveClipPhase phase_;
  double bound_;
  double slope_;              // approximate slope of the shortened share against the log bound
  double observation_ = 0.0;  // variance of one observed distance
  double drift_;              // variance that a step adds to the distance
  double distance_;           // variance of the distance, before the next observation
};

}  // namespace dpvi
