#pragma once

#include <cstdint>
#include <optional>

#include <dpvi/fit/fit_result.hpp>
#include <dpvi/fit/record_model.hpp>
#include <dpvi/stan/generated_draws.hpp>

namespace dpvi {

// Fills in what a result shows of the fitted posterior: outputs at its location and at draws from
// it, and behind them what `program`, if given, draws there by _rng functions without records. The
// draws of a private fit come from fresh secure randomness, others from the seed.
void add_draws(FitResult& result, const RecordModel& model, const GeneratedDraws* program,
               std::int64_t draws, std::optional<std::uint64_t> seed);

}  // namespace dpvi
