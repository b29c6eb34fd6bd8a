#include <dpvi/stan/value/index_axes.hpp>

#include <fmt/format.h>

namespace dpvi {
namespace {

std::int64_t checked_position(const CallContext& context, const Value& base, std::size_t axis,
                              NodeId position) {
  const std::int64_t size = base.dims()[axis];
  const double at = context.builder.graph()[position].values[0];
  if (at >= 1 && at <= static_cast<double>(size)) return static_cast<std::int64_t>(at) - 1;
  const bool beside = at > 1 || (at < 1 && context.records > 0);
  if (axis == 0 && base.trace.over_records && beside && !context.by_unit) {
    context.fail(kModelFactorises,
                 fmt::format("The record at position {} is read together with another one.", at),
                 "A record's contribution may use that record alone: time series and neighbours "
                 "cannot be fitted record by record. If a list of positions selects records "
                 "(observed, censored), use an indicator column and an if instead.");
  }
  context.fail(fmt::format("Index {} is outside 1..{}.", at, size));
}

}  // namespace

bool positions_are_known(const CallContext& context, const ResolvedIndex& index) {
  for (const NodeId position : index.positions) {
    if (!context.builder.is_constant(position)) return false;
  }
  return true;
}

std::vector<IndexAxis> axes_of(CallContext& context, const Value& base,
                               std::span<const ResolvedIndex> indices) {
  const std::vector<std::int64_t> strides = strides_of(base.type(), base.dims());
  std::vector<IndexAxis> axes;
  for (std::size_t i = 0; i < strides.size(); ++i) {
    IndexAxis axis{base.dims()[i], strides[i], true, false, {}};
    if (i >= indices.size() || indices[i].all) {
      for (std::int64_t at = 0; at < axis.size; ++at) axis.wanted.push_back(at);
    } else {
      axis.kept = indices[i].keeps_dimension;
      axis.unknown = !positions_are_known(context, indices[i]);
      if (axis.unknown) {
        axis.wanted = {0};
      } else {
        for (const NodeId position : indices[i].positions) {
          axis.wanted.push_back(checked_position(context, base, i, position));
        }
      }
    }
    context.spend(static_cast<std::int64_t>(axis.wanted.size()) / 4 + 1);
    axes.push_back(std::move(axis));
  }
  return axes;
}

std::vector<std::size_t> unknown_axes(const std::vector<IndexAxis>& axes) {
  std::vector<std::size_t> unknown;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    if (axes[i].unknown) unknown.push_back(i);
  }
  return unknown;
}

std::vector<std::int64_t> wanted_offsets(CallContext& context, const Value& base,
                                         const std::vector<IndexAxis>& axes) {
  std::vector<const IndexAxis*> order;
  const std::size_t arrays = static_cast<std::size_t>(base.type().array_rank);
  for (std::size_t i = 0; i < arrays; ++i) order.push_back(&axes[i]);
  for (std::size_t i = axes.size(); i-- > arrays;) order.push_back(&axes[i]);
  std::vector<std::int64_t> offsets{0};
  for (const IndexAxis* axis : order) {
    std::vector<std::int64_t> longer;
    context.checked_size(static_cast<std::int64_t>(offsets.size() * axis->wanted.size()));
    longer.reserve(offsets.size() * axis->wanted.size());
    for (const std::int64_t begin : offsets) {
      for (const std::int64_t at : axis->wanted) longer.push_back(begin + at * axis->stride);
    }
    offsets = std::move(longer);
  }
  return offsets;
}

}  // namespace dpvi
