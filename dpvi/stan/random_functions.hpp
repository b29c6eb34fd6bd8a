#pragma once

#include <dpvi/stan/call_context.hpp>
#include <dpvi/stan/density_table.hpp>

namespace dpvi {

// One draw by Stan's _rng function, with the type that its signature gives. The draw is made with
// the context's source of draws, or deferred if the context collects draw sites. Fails if the
// context has neither, or if a draw made now has an unknown parameter.
Value random_value(CallContext& context, const DensityRow& row, std::span<const Value> parameters,
                   StanType result);

}  // namespace dpvi
