#pragma once

#include <dpvi/family/location_noise.hpp>
#include <dpvi/fit/train/fit_trace.hpp>
#include <dpvi/fit/train/loop_outcome.hpp>

namespace dpvi {

// What noise and sampling did to the location of a fit, in theta. It follows from the regression of
// the releases where there is one, else from the scatter of the iterates and, with many parameters,
// the curvature that the fitted scales imply: the larger of the two.
LocationNoise location_uncertainty(const LoopOutcome& outcome, const FitTrace& trace);

}  // namespace dpvi
