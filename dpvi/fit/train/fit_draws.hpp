#pragma once

#include <cstdint>
#include <optional>

#include <dpvi/fit/prepare/record_model.hpp>
#include <dpvi/fit/train/fit_result.hpp>
#include <dpvi/sample/sample_posterior.hpp>
#include <dpvi/stan/run/generated_draws.hpp>

namespace dpvi {

// Fills in the outputs of a result: at the location and at draws from its total, and the standard
// deviations that the fitted posterior and the noise alone give them. If `program` is given,
// appends the quantities that its _rng functions draw without records. The draws of a private fit
// use fresh secure randomness, others use the seed.
void add_draws(FitResult& result, const RecordModel& model, const GeneratedDraws* program,
               std::int64_t draws, std::optional<std::uint64_t> seed);

// The same for draws that were sampled, whose Gaussian by moments becomes the total.
void add_chains(FitResult& result, const RecordModel& model, const GeneratedDraws* program,
                SampledPosterior posterior, std::optional<std::uint64_t> seed);

}  // namespace dpvi
