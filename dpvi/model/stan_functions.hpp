#pragma once

#include <dpvi/model/function_registry.hpp>

namespace dpvi {

// Stan's densities and distribution functions that can be written into a graph, with all constants
// and with Stan's limits: NaN where Stan refuses an argument, -inf where the density is zero.
//
// One exception keeps lanes fast. A location, linear predictor or logit that depends on parameters
// and the record is not tested for being infinite; where Stan would refuse it, the result may be
// -inf, or NaN where Stan has a limit. Either way it is not finite.
const FunctionRegistry& stan_functions();

}  // namespace dpvi
