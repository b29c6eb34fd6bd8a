#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <dpvi/api/bound_model.hpp>
#include <dpvi/api/fit_request.hpp>
#include <dpvi/base/error.hpp>
#include <dpvi/fit/train/fit_result.hpp>
#include <dpvi/fit/train/fitted_posterior.hpp>

namespace dpvi {

// The last part of a fit, private or not: a fitted posterior becomes a result.

// Throws UsageError if the number of threads is outside its rule.
FitSpeed speed_of(const FitExecution& execution);

// The error of a fit that was stopped. `hint` says what that means.
Error stopped(const std::string& hint);

// Describes the fit by its program, its public facts and its fitted posterior. The result has no
// draws yet.
FitResult describe_fit(const BoundModel& bound, const FitSettings& settings,
                       FittedPosterior fitted);

// Adds outputs at the location of the posterior and at draws from it, and the status of the fit.
// The draws of a private fit use fresh secure randomness, others use the seed.
void draw_outputs(FitResult& result, const BoundModel& bound, std::int64_t draws,
                  std::optional<std::uint64_t> seed);

// The same for a private fit by measurements: samples the prior times what the releases say.
struct MeasuredPosterior {
  Site site, site_without_noise;
  MeasurementEvidence measured;
  std::vector<double> clip_bias;
};
void sample_outputs(FitResult& result, const BoundModel& bound, std::int64_t draws,
                    const MeasuredPosterior& posterior);

}  // namespace dpvi
