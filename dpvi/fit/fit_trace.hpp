#pragma once

#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include <dpvi/optim/iterate_trace.hpp>

namespace dpvi {

enum class FitStatus {
  stationary,  // the averaged iterates wander about one place
  drifting,    // they are still on their way: more steps, or a larger learning rate
  diverged,    // they, or the result, are not finite, or too large to tell
  unknown      // too few iterates, or an R-hat that is undefined: nothing can be said
};

std::string_view name_of(FitStatus status);

// What the iterates tell of the averaged one.
struct FitTrace {
  FitStatus status = FitStatus::unknown;
  // Of the unconstrained parameters.
  std::vector<double> r_hat;
  std::vector<double> effective_size;
  std::vector<double> mean_sd;    // what noise and sampling leave uncertain of the location
  std::vector<double> output_sd;  // the same of each output there
};

// A model's outputs at unconstrained parameters.
using OutputFunction = std::function<std::vector<double>(std::span<const double> theta)>;

// `result` is the family's parameters that the fit gives back, its location first. A
// `location_factor` A, row-major, says that A A' is the location's uncertainty; if it is empty,
// that is read off the scatter of batches of iterates.
FitTrace trace_of(const IterateTrace& locations, std::span<const double> result,
                  std::span<const double> location_factor, const OutputFunction& outputs_at);

}  // namespace dpvi
