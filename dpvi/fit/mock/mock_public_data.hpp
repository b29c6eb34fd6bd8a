#pragma once

#include <dpvi/stan/run/stan_model.hpp>

namespace dpvi {

// Chooses mock values for missing public data among a few candidates. Prefers one at which the
// prior and a mock record have a value, then one at which the prior has a value, then the first. (A
// program may be written for two states, or use a number as a scale.)
MockPublicData choose_mock_public_data(const CheckedProgram& checked, const DataBlock& data,
                                       StanModelOptions options);

}  // namespace dpvi
