#pragma once

#include <dpvi/stan/call_context.hpp>
#include <dpvi/stan/density_table.hpp>

namespace dpvi {

// One draw from a distribution whose parameters are all known: Stan's _rng function, of the type
// that its signature gives. Takes its numbers from the context's source of draws; fails where there
// is none, or where a parameter is not known.
Value random_value(CallContext& context, const DensityRow& row, std::span<const Value> parameters,
                   StanType result);

}  // namespace dpvi
