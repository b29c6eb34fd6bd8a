#include <dpvi/stan/value/index_writing.hpp>

#include <utility>

#include <fmt/format.h>

#include <dpvi/stan/value/operators.hpp>

namespace dpvi {
namespace {

void write_tuple(CallContext& context, Value& base, std::span<const ResolvedIndex> indices,
                 const Value& value, NodeId active) {
  std::vector<Value> parts = base.parts();
  for (std::size_t i = 0; i < parts.size(); ++i) {
    write_index(context, parts[i], indices, value.parts()[i], active);
  }
  const RecordTrace trace = base.trace;
  base = Value::tuple(base.type(), base.dims(), std::move(parts));
  base.trace.over_records = base.trace.over_records || trace.over_records;
}

void replace_whole(CallContext& context, Value& base, const Value& value, NodeId active) {
  if (!(base.dims() == value.dims())) {
    context.fail_sizes(fmt::format("A value of size {} is assigned to a variable of size {}.",
                                   shape_text(value), shape_text(base)),
                       value.trace.over_records, base.trace.over_records);
  }
  const StanType type = base.type();
  const bool always = context.builder.constant_value(active) != nullptr;
  base = always ? value : blended(context, active, value, base);
  base = base.with_type(type, base.dims());
}

void refuse_unknown_lists(const CallContext& context, std::span<const ResolvedIndex> indices,
                          const std::vector<std::size_t>& unknown) {
  for (const std::size_t axis : unknown) {
    if (!indices[axis].keeps_dimension) continue;
    context.fail(kModelUnsupported, "The positions assigned to depend on record data.",
                 "Assign to one position at a time in a loop, or use a record's value directly; "
                 "leave out rows with a missing outcome.");
  }
}

// An offset that unknown positions may select, with the mask that is true if they do.
struct MaskedOffset {
  std::int64_t offset = 0;
  NodeId mask;
};

std::vector<MaskedOffset> masked_offsets(CallContext& context,
                                         std::span<const ResolvedIndex> indices,
                                         const std::vector<IndexAxis>& axes, NodeId active) {
  GraphBuilder& builder = context.builder;
  std::vector<MaskedOffset> places{{0, active}};
  for (const std::size_t unknown : unknown_axes(axes)) {
    std::vector<MaskedOffset> more;
    const IndexAxis& axis = axes[unknown];
    context.spend(static_cast<std::int64_t>(places.size()) * axis.size);
    for (const auto& [offset, mask] : places) {
      for (std::int64_t at = 0; at < axis.size; ++at) {
        const NodeId here = builder.binary(Op::eq, indices[unknown].positions[0],
                                           builder.constant(static_cast<double>(at + 1)));
        more.push_back({offset + at * axis.stride, builder.binary(Op::logical_and, mask, here)});
      }
    }
    places = std::move(more);
  }
  return places;
}

void write_entry(CallContext& context, Value& base, NodeId entry, const MaskedOffset& place) {
  GraphBuilder& builder = context.builder;
  const NodeId blend = builder.select(place.mask, entry, base.entry(builder, place.offset));
  if (base.set_entry(builder, place.offset, blend)) context.spend(base.size() / 16 + 1);
}

void write_entries(CallContext& context, Value& base, std::span<const ResolvedIndex> indices,
                   const Value& value, NodeId active) {
  const std::vector<IndexAxis> axes = axes_of(context, base, indices);
  refuse_unknown_lists(context, indices, unknown_axes(axes));
  const std::vector<std::int64_t> offsets = wanted_offsets(context, base, axes);
  if (value.size() != static_cast<std::int64_t>(offsets.size())) {
    context.fail(
        fmt::format("{} entries are assigned to {} positions.", value.size(), offsets.size()));
  }
  base.trace.variable = -1;
  base.trace.over_records = base.trace.over_records || value.trace.over_records;
  const std::vector<MaskedOffset> places = masked_offsets(context, indices, axes, active);
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    const NodeId entry = value.entry(context.builder, static_cast<std::int64_t>(i));
    context.spend(static_cast<std::int64_t>(places.size()));
    for (const auto& [offset, mask] : places) {
      write_entry(context, base, entry, {offsets[i] + offset, mask});
    }
  }
}

}  // namespace

void write_index(CallContext& context, Value& base, std::span<const ResolvedIndex> indices,
                 const Value& value, NodeId active) {
  const double* always = context.builder.constant_value(active);
  if (always != nullptr && *always == 0) return;
  if (base.is_tuple()) return write_tuple(context, base, indices, value, active);
  if (value.is_tuple()) context.fail("The tuple that is assigned to has no value.");
  if (indices.empty()) return replace_whole(context, base, value, active);
  write_entries(context, base, indices, value, active);
}

}  // namespace dpvi
