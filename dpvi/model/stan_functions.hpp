#pragma once

#include <dpvi/model/function_registry.hpp>

namespace dpvi {

// Stan's densities and distribution functions that can be written into a graph, with all constants
// and with Stan's limits: NaN where Stan refuses an argument, -inf where the density is zero.
//
// One exception keeps lanes fast. The location or linear predictor of a density is not tested for
// being infinite where it depends on both parameters and the record: where Stan would refuse it,
// the result may be -inf, and where Stan has a limit, NaN. Either way it is not finite.
const FunctionRegistry& stan_functions();

}  // namespace dpvi
