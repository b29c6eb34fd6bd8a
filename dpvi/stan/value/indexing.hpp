#pragma once

#include <dpvi/stan/value/call_context.hpp>

namespace dpvi {

// One evaluated index of x[...]. Positions count from 1 and may depend on the record.
struct ResolvedIndex {
  bool all = false;
  bool keeps_dimension = false;  // a range or an array of positions
  std::vector<NodeId> positions;
  RecordTrace trace;  // of the positions
};

// Reads x[indices]; dimensions without an index are read whole. A known position out of range is an
// error; one that depends on a record gives NaN for that record.
Value read_index(CallContext& context, const Value& base, std::span<const ResolvedIndex> indices);

// Assigns base[indices] = value where `active` is not 0. Without indices the whole value is
// replaced.
void write_index(CallContext& context, Value& base, std::span<const ResolvedIndex> indices,
                 const Value& value, NodeId active);

}  // namespace dpvi
