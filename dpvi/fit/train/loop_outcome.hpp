#pragma once

#include <vector>

#include <dpvi/optim/iterate_path.hpp>
#include <dpvi/optim/iterate_trace.hpp>
#include <dpvi/privacy/release_log.hpp>

namespace dpvi {

// Time breakdown of a run in seconds. It depends on the batch sizes, so it is for the curator only.
struct LoopTimes {
  double sampling = 0.0;
  double gradients = 0.0;  // includes clipping unless that is measured separately
  double clipping = 0.0;
  double noise = 0.0;
  double update = 0.0;  // everything after a release

  double all() const { return sampling + gradients + clipping + noise + update; }
};

struct LoopOutcome {
  // The numbers that identify the result of the run.
  const std::vector<double>& result() const { return site_mean.empty() ? parameters : site_mean; }

  std::vector<double> parameters;  // family parameters over theta, averaged over the last iterates
  // Of a fit by measurements: the mean of its site. It takes the place of the family parameters,
  // which follow later.
  std::vector<double> site_mean = {};
  IterateTrace locations;  // locations of the averaged iterates, in theta
  IteratePath path = {};   // a few locations of the whole run, in theta
  // Row-major matrix A such that A A' is the covariance of the average in theta. Empty if unknown.
  std::vector<double> location_factor;
  // With too many parameters or too few steps for such a matrix: standard deviations. Empty if
  // unknown.
  std::vector<double> location_sds = {};
  // Where the mean of the averaged gradients points, in theta. Empty if unknown.
  std::vector<double> remaining_move = {};
  std::vector<std::vector<double>> samples;  // last samples of a chain, in theta
  ReleaseLog releases = {};                  // empty for an unprotected run
  double last_clip_bound = 0.0;
  LoopTimes times = {};
  bool completed = false;
};

}  // namespace dpvi
