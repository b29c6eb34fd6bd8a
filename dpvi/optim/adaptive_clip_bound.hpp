#pragma once

#include <dpvi/privacy/clip_coordinate.hpp>
#include <dpvi/privacy/released.hpp>

namespace dpvi {

// Public numbers that fix how the clip bound moves.
struct AdaptiveClipSettings {
  double first_bound = 1.0;
  double first_spread = 1.5;  // how far the logarithm of the first bound may well be off
  ClipCoordinate coordinate;
  double steps = 1000.0;
};

// What a phase of the run has of its own.
struct AdaptiveClipPhase {
  double noise_multiplier = 1.0;
  double expected_batch = 1.0;  // declared rows times sampling rate; if wrong, only speed changes
};

// Moves the clip bound until the coordinate's target share of records stays below it.
//
// The last value of each release, divided by the clip bound, is size / g times the number of
// records by which the shortened ones exceed their target share 1 - g, plus noise of known size
// (the noise multiplier). A Kalman filter of the distance between the bound's logarithm and its
// target turns it into a step: large while little is known, then as small as the noise demands.
//
// Guarantee: the bound is a function of releases and public numbers alone.
class AdaptiveClipBound {
 public:
  AdaptiveClipBound(const AdaptiveClipSettings& settings, const AdaptiveClipPhase& phase);

  double value() const { return bound_; }

  // From the next release on.
  void start_phase(const AdaptiveClipPhase& phase);
  // The same, with a bound that is as uncertain as the first one was.
  void start_phase(const AdaptiveClipPhase& phase, double bound);

  // To be called with every release made under value(), before the next.
  void move(const Released& released);

 private:
  AdaptiveClipSettings settings_;
  AdaptiveClipPhase phase_;
  double bound_;
  double slope_;              // of the shortened share against the log bound, about
  double observation_ = 0.0;  // variance of one observed distance
  double drift_;              // variance that a step adds to the distance
  double distance_;           // variance of the distance, before the next observation
};

}  // namespace dpvi
