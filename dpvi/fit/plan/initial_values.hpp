#pragma once

#include <span>
#include <string>
#include <vector>

#include <dpvi/data/public_data.hpp>
#include <dpvi/fit/prepare/record_model.hpp>

namespace dpvi {

// A start that replaces the one from mock records: theta and, if known, its standard deviations.
struct InitialValues {
  std::string name;  // for messages
  std::vector<double> theta;
  std::vector<double> scales;  // empty: the small default scale in working coordinates
};

// Returns the theta at which the model's parameters have these values. A parameter without a value
// keeps that of `otherwise`. Refuses a value outside its declaration (DP333), of another shape
// (DP331) or for a name that is not a parameter (DP202).
std::vector<double> theta_of_values(const RecordModel& model, const PublicData& values,
                                    std::span<const double> otherwise);

// Returns an approximate draw from the prior with a fixed seed.
std::vector<double> theta_from_prior(const RecordModel& model);

}  // namespace dpvi
