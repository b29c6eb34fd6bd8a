#pragma once

#include <dpvi/fit/train/fitted_posterior.hpp>
#include <dpvi/fit/train/private_records.hpp>

namespace dpvi {

// Fits the records under the plan that they were opened with, and frees their memory.
FittedPosterior fit_privately(PrivateRecords records, const FitSpeed& speed,
                              const FitProgress& progress);

}  // namespace dpvi
