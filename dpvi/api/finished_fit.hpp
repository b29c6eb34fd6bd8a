#pragma once

#include <dpvi/api/fit_request.hpp>
#include <dpvi/api/planned_fit.hpp>
#include <dpvi/fit/train/fit_result.hpp>
#include <dpvi/fit/train/fitted_posterior.hpp>

namespace dpvi {

// The last part of a private fit: what the loop fitted becomes a result with draws and a status.
// All of it is post-processing. Throws Error DP501 if the loop was stopped.
FitResult finished_fit(const PlannedFit& planned, FittedPosterior fitted,
                       const FitExecution& execution);

}  // namespace dpvi
