#pragma once

#include <dpvi/fit/train/fitted_posterior.hpp>
#include <dpvi/fit/train/private_records.hpp>

namespace dpvi {

// Fits the records under the plan that they were opened with, and frees their memory. In a job on
// several ranks the root calls it.
FittedPosterior fit_privately(PrivateRecords records, const FitSpeed& speed,
                              const FitProgress& progress);

// Takes part in the fit of a job with shared records, as another rank than the root. Returns when
// the root has ended the job, or throws InternalError DP502.
void serve_privately(PrivateRecords records, const FitSpeed& speed);

}  // namespace dpvi
