#pragma once

#include <span>
#include <vector>

#include <dpvi/fit/prepare/prior_draw.hpp>
#include <dpvi/fit/prepare/record_model.hpp>
#include <dpvi/fit/train/fit_result.hpp>

namespace dpvi {

// Prior densities of outputs. They are exact for an output that is a function of one unconstrained
// parameter of the same name, whose prior depends on no other parameter. If all priors are proper,
// those of the first other outputs are estimated from draws. Returns none for models with many
// parameters.
// `location` is any point with a finite prior density. No record is used.
std::vector<PriorCurve> prior_curves(const RecordModel& model, std::span<const double> location,
                                     const PriorSpread& spread);

}  // namespace dpvi
