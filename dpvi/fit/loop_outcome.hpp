#pragma once

#include <vector>

#include <dpvi/optim/iterate_trace.hpp>
#include <dpvi/privacy/release_log.hpp>

namespace dpvi {

// Seconds of a whole run, by activity. They depend on the sizes of the batches, so they are for the
// curator alone.
struct LoopTimes {
  double sampling = 0.0;
  double gradients = 0.0;  // includes clipping, unless that was measured
  double clipping = 0.0;
  double noise = 0.0;
  double update = 0.0;  // everything that follows a release

  double all() const { return sampling + gradients + clipping + noise + update; }
};

struct LoopOutcome {
  std::vector<double> parameters;  // of the family over theta, averaged over the last iterates
  IterateTrace locations;          // the averaged iterates' locations, by theta
  // A row-major matrix A: the average has covariance A A', by theta. Empty if that is not known.
  std::vector<double> location_factor;
  std::vector<std::vector<double>> samples;  // the last of a chain, by theta
  ReleaseLog releases = {};                  // empty for a run without protection
  double last_clip_bound = 0.0;
  LoopTimes times = {};
  bool completed = false;
};

}  // namespace dpvi
