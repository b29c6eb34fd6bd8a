#pragma once

#include <dpvi/stan/call_context.hpp>
#include <dpvi/stan/density_table.hpp>

namespace dpvi {

// A density's function, e.g. suffix "_lpdf", summed over a vectorised call. All constants are kept,
// also in the unnormalised forms: they change neither gradients nor posteriors.
NodeId density_sum(CallContext& context, const DensityRow& row, std::string_view suffix,
                   std::span<const Value> arguments);

}  // namespace dpvi
