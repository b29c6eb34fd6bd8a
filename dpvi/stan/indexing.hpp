#pragma once

#include <dpvi/stan/call_context.hpp>

namespace dpvi {

// One index of x[...], evaluated. Positions count from 1 and may be unknown until a record is read.
struct ResolvedIndex {
  bool all = false;
  bool keeps_dimension = false;  // a range or an array of positions
  std::vector<NodeId> positions;
  RecordTrace trace;  // of the positions
};

// x[indices]; fewer indices than dimensions take whole rest. A known position outside the value is
// an error; one that depends on a record gives NaN for that record.
Value read_index(CallContext& context, const Value& base, std::span<const ResolvedIndex> indices);

// base[indices] = value where `active` is not 0. Without indices the whole value is replaced.
void write_index(CallContext& context, Value& base, std::span<const ResolvedIndex> indices,
                 const Value& value, NodeId active);

}  // namespace dpvi
