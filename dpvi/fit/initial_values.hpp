#pragma once

#include <span>
#include <string>
#include <vector>

#include <dpvi/data/public_data.hpp>
#include <dpvi/fit/record_model.hpp>

namespace dpvi {

// Where a fit starts, if not where made-up records lead: theta, and its standard deviations where
// they are known.
struct InitialValues {
  std::string name;  // for people
  std::vector<double> theta;
  std::vector<double> scales;  // empty: small ones by the coordinates
};

// Theta at which the model's parameters have these values; a parameter without one keeps what it
// has at `otherwise`. Refuses (DP333, DP331, DP202) a value outside its declaration, of another
// shape, or of something that is no parameter.
std::vector<double> theta_of_values(const RecordModel& model, const PublicData& values,
                                    std::span<const double> otherwise);

// A draw about as the prior has it, the same each time.
std::vector<double> theta_from_prior(const RecordModel& model);

}  // namespace dpvi
