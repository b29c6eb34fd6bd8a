#pragma once

#include <dpvi/stan/types/density_table.hpp>
#include <dpvi/stan/value/call_context.hpp>

namespace dpvi {

// The log density, CDF or CCDF that `suffix` (e.g. "_lpdf") selects, summed over a vectorised call.
// The unnormalised forms keep all constants too: constants change neither gradients nor posteriors.
NodeId density_sum(CallContext& context, const DensityRow& row, std::string_view suffix,
                   std::span<const Value> arguments);

}  // namespace dpvi
