#pragma once

#include <dpvi/stan/types/density_table.hpp>
#include <dpvi/stan/value/call_context.hpp>

namespace dpvi {

// The log density, CDF or CCDF that `suffix` (e.g. "_lpdf") selects, summed over a vectorised call.
// The unnormalised forms keep all constants too: constants change neither gradients nor posteriors.
// Returns a symbol instead if the context collects densities and this is one of record data.
NodeId density_sum(CallContext& context, const DensityRow& row, std::string_view suffix,
                   std::span<const Value> arguments);

// The calls, one for each variate, whose sum is a vectorised call of a density. Not for linear
// models
// (_glm).
std::vector<std::vector<Value>> calls_by_variate(CallContext& context, const DensityRow& row,
                                                 std::span<const Value> arguments);

}  // namespace dpvi
