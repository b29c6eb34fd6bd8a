#pragma once

#include <cstdint>

#include <dpvi/fit/plan/fit_settings.hpp>
#include <dpvi/fit/prepare/record_model.hpp>
#include <dpvi/fit/train/fitted_posterior.hpp>
#include <dpvi/fit/train/private_records.hpp>
#include <dpvi/privacy/event.hpp>

namespace dpvi {

// The same loop without privacy protection. It starts from the mode and curvature of the records,
// which a private fit must not use.
FittedPosterior fit_unprotected(const RecordModel& model, const UnprotectedRecords& records,
                                const GaussianPhase& phase, const FitSettings& settings,
                                std::uint64_t seed, const FitSpeed& speed,
                                const FitProgress& progress);

}  // namespace dpvi
