#pragma once

#include <cstdint>

#include <dpvi/fit/plan/fit_settings.hpp>
#include <dpvi/fit/prepare/record_model.hpp>
#include <dpvi/fit/train/fitted_posterior.hpp>
#include <dpvi/fit/train/private_records.hpp>
#include <dpvi/privacy/event.hpp>

namespace dpvi {

// The steps of an unprotected fit, and the seed that repeats them.
struct UnprotectedRun {
  GaussianPhase phase;
  std::uint64_t seed = 0;
};

// The same loop without privacy protection. It starts from the mode and curvature of the records,
// which a private fit must not use.
FittedPosterior fit_unprotected(const RecordModel& model, const UnprotectedRecords& records,
                                const UnprotectedRun& run, const FitSettings& settings,
                                const FitSpeed& speed, const FitProgress& progress);

}  // namespace dpvi
