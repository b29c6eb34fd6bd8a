#pragma once

#include <span>

#include <dpvi/stan/value/index_axes.hpp>

namespace dpvi {

// Reads x[indices]; dimensions without an index are read whole. A known position out of range is an
// error; one that depends on a record gives NaN for that record.
Value read_index(CallContext& context, const Value& base, std::span<const ResolvedIndex> indices);

}  // namespace dpvi
