#pragma once

#include <span>
#include <string_view>
#include <vector>

#include <dpvi/fit/prepare/output_variable.hpp>
#include <dpvi/optim/iterate_trace.hpp>

namespace dpvi {

enum class FitStatus {
  stationary,  // the averaged iterates fluctuate around one point
  drifting,    // they still move: use more steps or a larger learning rate
  diverged,    // they or the result are not finite, or too large
  unknown      // too few iterates, or R-hat is undefined
};

std::string_view name_of(FitStatus status);

// Diagnostics of the averaged iterate, from the trace of the iterates.
struct FitTrace {
  FitStatus status = FitStatus::unknown;
  // One entry for each unconstrained parameter.
  std::vector<double> r_hat;
  std::vector<double> effective_size;
  std::vector<double> mean_sd;    // sd of the location due to noise and sampling
  std::vector<double> output_sd;  // the same for each output at the location
};

// `result` holds the family parameters of the fit, location first. If `location_factor` A
// (row-major) is given, A A' is the covariance of the location. If it is empty, the covariance is
// estimated from the scatter of batches of iterates.
FitTrace trace_of(const IterateTrace& locations, std::span<const double> result,
                  std::span<const double> location_factor, const OutputFunction& outputs_at);

}  // namespace dpvi
