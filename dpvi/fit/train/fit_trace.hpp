#pragma once

#include <span>
#include <string_view>
#include <vector>

#include <dpvi/optim/iterate_path.hpp>
#include <dpvi/optim/iterate_trace.hpp>

namespace dpvi {

// What the averaged iterates did.
enum class Optimisation {
  stationary,  // they fluctuate around one point
  drifting,    // they still move
  diverged,    // they or the result are not finite, or too large
  unknown      // too few iterates, or R-hat is undefined
};

std::string_view name_of(Optimisation optimisation);

// Diagnostics of the averaged iterate, from the trace of the iterates.
struct FitTrace {
  Optimisation optimisation = Optimisation::unknown;
  // One entry for each unconstrained parameter.
  std::vector<double> r_hat;
  std::vector<double> effective_size;
  std::vector<double> mean_sd;  // sd of the location due to noise and sampling
  std::vector<double> drift;    // mean of the second half of the iterates minus that of the first
  std::vector<double> remaining_move = {};  // where the releases point; empty if unknown
  IteratePath path = {};                    // a few locations of the whole run, for pictures
};

// `result` holds the family parameters of the fit. The standard deviations of the location are
// estimated from the scatter of batches of iterates.
FitTrace trace_of(const IterateTrace& locations, std::span<const double> result);

}  // namespace dpvi
