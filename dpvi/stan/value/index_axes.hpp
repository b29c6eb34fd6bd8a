#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <dpvi/stan/value/call_context.hpp>

namespace dpvi {

// One evaluated index of x[...]. Positions count from 1 and may depend on the record.
struct ResolvedIndex {
  bool all = false;
  bool keeps_dimension = false;  // a range or an array of positions
  std::vector<NodeId> positions;
  RecordTrace trace;  // of the positions
};

// True if no position depends on a record or on parameters.
bool positions_are_known(const CallContext& context, const ResolvedIndex& index);

// One dimension of a value that is being indexed: its layout and the selected positions. An axis
// whose single position depends on a record is `unknown`.
struct IndexAxis {
  std::int64_t size = 0;
  std::int64_t stride = 1;
  bool kept = true;
  bool unknown = false;
  std::vector<std::int64_t> wanted;  // counted from 0
};

// The axes of base[indices]; dimensions without an index are selected whole. A known position out
// of range is an error.
std::vector<IndexAxis> axes_of(CallContext& context, const Value& base,
                               std::span<const ResolvedIndex> indices);

// Numbers of the axes whose position is unknown.
std::vector<std::size_t> unknown_axes(const std::vector<IndexAxis>& axes);

// Offsets of all selected entries in the storage order of the result: arrays with first index
// slowest, then columns, then rows.
std::vector<std::int64_t> wanted_offsets(CallContext& context, const Value& base,
                                         const std::vector<IndexAxis>& axes);

}  // namespace dpvi
