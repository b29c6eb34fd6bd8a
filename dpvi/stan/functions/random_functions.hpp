#pragma once

#include <dpvi/stan/types/density_table.hpp>
#include <dpvi/stan/value/call_context.hpp>

namespace dpvi {

// One draw by Stan's _rng function, with the type that its signature gives. The draw is made with
// the context's source of draws, or deferred if the context collects draw sites. Fails if the
// context has neither, or if a draw made now has an unknown parameter.
Value random_value(CallContext& context, const DensityRow& row, std::span<const Value> parameters,
                   StanType result);

}  // namespace dpvi
