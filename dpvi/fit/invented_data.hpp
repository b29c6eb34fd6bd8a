#pragma once

#include <dpvi/stan/stan_model.hpp>

namespace dpvi {

// Which of a few ways to make up the missing public data shows most of a program: one at which the
// prior and some made-up record have a value, else one at which the prior has, else the first.
// (A program may be written for two states, or take a number for a scale.)
InventedData telling_invention(const CheckedProgram& checked, const DataBlock& data,
                               StanModelOptions options);

}  // namespace dpvi
