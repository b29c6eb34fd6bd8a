#pragma once

#include <dpvi/model/function_registry.hpp>

namespace dpvi {

// Stan's densities and distribution functions that can be written into a graph. They include all
// constants and follow Stan's limits: NaN where Stan rejects an argument, -inf where the density is
// zero.
//
// One exception keeps lanes fast. If a location or linear predictor depends on both parameters and
// the record, it is not tested for infinity. The result may then be -inf where Stan would reject
// the argument, and NaN where Stan returns a limit. It is not finite in either case.
const FunctionRegistry& stan_functions();

}  // namespace dpvi
