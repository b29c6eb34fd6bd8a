#pragma once

#include <span>

#include <dpvi/stan/value/index_axes.hpp>

namespace dpvi {

// Assigns base[indices] = value where `active` is not 0. Without indices the whole value is
// replaced.
void write_index(CallContext& context, Value& base, std::span<const ResolvedIndex> indices,
                 const Value& value, NodeId active);

}  // namespace dpvi
