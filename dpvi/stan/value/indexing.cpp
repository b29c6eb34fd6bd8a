#include <dpvi/stan/value/indexing.hpp>

#include <fmt/format.h>

#include <dpvi/stan/types/type_rules.hpp>
#include <dpvi/stan/value/operators.hpp>

namespace dpvi {
namespace {

// One dimension of a value that is being indexed: its layout and the selected positions. An axis
// whose single position depends on a record is `unknown`.
struct Axis {
  std::int64_t size = 0;
  std::int64_t stride = 1;
  bool kept = true;
  bool unknown = false;
  std::vector<std::int64_t> wanted;  // counted from 0
};

bool is_known(const CallContext& context, const ResolvedIndex& index) {
  for (const NodeId position : index.positions) {
    if (!context.builder.is_constant(position)) return false;
  }
  return true;
}

std::int64_t checked_position(const CallContext& context, const Value& base, std::size_t axis,
                              NodeId position) {
  const std::int64_t size = base.dims()[axis];
  const double at = context.builder.graph()[position].values[0];
  if (at >= 1 && at <= static_cast<double>(size)) return static_cast<std::int64_t>(at) - 1;
  const bool beside = at > 1 || (at < 1 && context.records > 0);
  if (axis == 0 && base.trace.over_records && beside) {
    context.fail(kModelFactorises,
                 fmt::format("The record at position {} is read together with another one.", at),
                 "A record's contribution may use that record alone: time series and neighbours "
                 "cannot be fitted record by record. If a list of positions selects records "
                 "(observed, censored), use an indicator column and an if instead.");
  }
  context.fail(fmt::format("Index {} is outside 1..{}.", at, size));
}

std::vector<Axis> axes_of(CallContext& context, const Value& base,
                          std::span<const ResolvedIndex> indices) {
  const std::vector<std::int64_t> strides = strides_of(base.type(), base.dims());
  std::vector<Axis> axes;
  for (std::size_t i = 0; i < strides.size(); ++i) {
    Axis axis{base.dims()[i], strides[i], true, false, {}};
    if (i >= indices.size() || indices[i].all) {
      for (std::int64_t at = 0; at < axis.size; ++at) axis.wanted.push_back(at);
    } else {
      axis.kept = indices[i].keeps_dimension;
      axis.unknown = !is_known(context, indices[i]);
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

// Offsets of all selected entries in the storage order of the result: arrays with first index
// slowest, then columns, then rows.
std::vector<std::int64_t> wanted_offsets(CallContext& context, const Value& base,
                                         const std::vector<Axis>& axes) {
  std::vector<const Axis*> order;
  const std::size_t arrays = static_cast<std::size_t>(base.type().array_rank);
  for (std::size_t i = 0; i < arrays; ++i) order.push_back(&axes[i]);
  for (std::size_t i = axes.size(); i-- > arrays;) order.push_back(&axes[i]);
  std::vector<std::int64_t> offsets{0};
  for (const Axis* axis : order) {
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

struct Run {
  std::int64_t offset = 0;
  std::int64_t length = 0;
  std::int64_t stride = 1;
};

// Splits offsets into runs with a constant stride.
std::vector<Run> runs_of(const std::vector<std::int64_t>& offsets) {
  std::vector<Run> runs;
  for (std::size_t i = 0; i < offsets.size();) {
    Run run{offsets[i], 1, 1};
    if (i + 1 < offsets.size() && offsets[i + 1] > offsets[i]) {
      run.stride = offsets[i + 1] - offsets[i];
      while (i + static_cast<std::size_t>(run.length) < offsets.size() &&
             offsets[i + static_cast<std::size_t>(run.length)] ==
                 run.offset + run.length * run.stride) {
        ++run.length;
      }
    }
    i += static_cast<std::size_t>(run.length);
    runs.push_back(run);
  }
  return runs;
}

Dims kept_dims(const std::vector<Axis>& axes) {
  Dims dims;
  for (const Axis& axis : axes) {
    if (axis.kept) dims.push(static_cast<std::int64_t>(axis.wanted.size()));
  }
  return dims;
}

StanType kept_type(const Value& base, std::span<const ResolvedIndex> indices) {
  std::vector<bool> keeps;
  for (const ResolvedIndex& index : indices) keeps.push_back(index.all || index.keeps_dimension);
  return indexed_type(base.type(), keeps);
}

Value read_known(CallContext& context, const Value& base, std::span<const ResolvedIndex> indices,
                 const std::vector<Axis>& axes) {
  GraphBuilder& builder = context.builder;
  const std::vector<std::int64_t> offsets = wanted_offsets(context, base, axes);
  const StanType type = kept_type(base, indices);
  const Dims dims = kept_dims(axes);
  if (offsets.size() == 1) return Value(type, dims, base.entry(builder, offsets[0]));
  std::vector<NodeId> parts;
  for (const Run& run : runs_of(offsets)) {
    parts.push_back(builder.slice(base.flat(builder), static_cast<std::int32_t>(run.offset),
                                  static_cast<std::int32_t>(run.length),
                                  static_cast<std::int32_t>(run.stride)));
  }
  return Value(type, dims, builder.pack(parts));
}

// Reads a value with exactly one axis whose position depends on a record.
Value read_gathered(CallContext& context, const Value& base, std::span<const ResolvedIndex> indices,
                    const std::vector<Axis>& axes, std::size_t unknown) {
  GraphBuilder& builder = context.builder;
  const Axis& axis = axes[unknown];
  const NodeId index = builder.sub(indices[unknown].positions[0], builder.constant(1.0));
  std::vector<NodeId> parts;
  for (const Run& run : runs_of(wanted_offsets(context, base, axes))) {
    const GatherShape shape{
        static_cast<std::int32_t>(axis.size), static_cast<std::int32_t>(axis.stride),
        static_cast<std::int32_t>(run.length), static_cast<std::int32_t>(run.stride),
        static_cast<std::int32_t>(run.offset)};
    parts.push_back(builder.gather(base.flat(builder), index, shape));
  }
  return Value(kept_type(base, indices), kept_dims(axes), builder.pack(parts));
}

ResolvedIndex whole() {
  ResolvedIndex index;
  index.all = true;
  index.keeps_dimension = true;
  return index;
}

// Reads an array of positions, some of which depend on a record: one read per position, then
// interleaved.
Value read_listed(CallContext& context, const Value& base, std::span<const ResolvedIndex> indices,
                  std::size_t axis) {
  GraphBuilder& builder = context.builder;
  const std::vector<NodeId>& positions = indices[axis].positions;
  std::vector<Value> parts;
  for (const NodeId position : positions) {
    std::vector<ResolvedIndex> single(indices.begin(), indices.end());
    single[axis].keeps_dimension = false;
    single[axis].positions = {position};
    parts.push_back(read_index(context, base, single));
  }
  Dims dims;
  const Dims& rest = parts[0].dims();
  std::size_t taken = 0;
  for (std::size_t i = 0; i < base.dims().count(); ++i) {
    const bool kept = i >= indices.size() || indices[i].all || indices[i].keeps_dimension;
    if (i == axis) {
      dims.push(static_cast<std::int64_t>(positions.size()));
    } else if (kept) {
      dims.push(rest[taken++]);
    }
  }
  const StanType type = kept_type(base, indices);
  if (parts.size() == 1) return Value(type, dims, parts[0].flat(builder));
  // The position of the axis among the kept ones determines how the parts interleave.
  std::size_t place = 0;
  for (std::size_t i = 0; i < axis; ++i) {
    place += i >= indices.size() || indices[i].all || indices[i].keeps_dimension ? 1 : 0;
  }
  Value result = Value::undefined(builder, type, dims);
  const std::int64_t stride = strides_of(result.type(), result.dims())[place];
  const std::int64_t size = dims[place];
  std::vector<std::int64_t> next(parts.size(), 0);
  for (std::int64_t i = 0; i < result.size(); ++i) {
    const std::size_t part = static_cast<std::size_t>(i / stride % size);
    result.set_entry(builder, i, parts[part].entry(builder, next[part]++));
  }
  return result;
}

RecordTrace index_trace(const Value& base, std::span<const ResolvedIndex> indices,
                        const std::vector<Axis>& axes) {
  RecordTrace trace;
  trace.counts_records = base.trace.counts_records;
  trace.position = base.trace.position;
  if (indices.empty()) return base.trace;
  const ResolvedIndex& first = indices[0];
  const bool whole_first = first.all;
  trace.over_records = (first.all || first.keeps_dimension) &&
                       (first.trace.over_records || first.trace.counts_records ||
                        (base.trace.over_records && whole_first));
  // x[, j] of record data is its column j.
  if (base.trace.variable >= 0 && base.trace.over_records && whole_first) {
    trace.variable = base.trace.variable;
    trace.column = base.trace.column;
    std::int64_t stride = 1;
    for (std::size_t i = axes.size(); i-- > 1;) {
      if (axes[i].wanted.empty() || axes[i].unknown) return {};
      trace.column += axes[i].wanted[0] * stride;
      stride *= axes[i].size;
    }
  }
  return trace;
}

// The array dimensions that remain after indexing an array of tuples; `part` is one of the parts
// read.
Dims array_dims_left(const Value& base, const Value& part, std::span<const ResolvedIndex> indices) {
  std::size_t left = base.dims().count() - indices.size();
  for (const ResolvedIndex& index : indices) left += index.all || index.keeps_dimension ? 1 : 0;
  Dims dims;
  for (std::size_t i = 0; i < left; ++i) dims.push(part.dims()[i]);
  return dims;
}

std::vector<std::size_t> unknown_axes(const std::vector<Axis>& axes) {
  std::vector<std::size_t> unknown;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    if (axes[i].unknown) unknown.push_back(i);
  }
  return unknown;
}

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

void write_whole(CallContext& context, Value& base, const Value& value, NodeId active) {
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

// An offset that unknown positions may select, and the mask that is true if they do.
struct PossiblePlace {
  std::int64_t offset;
  NodeId mask;
};

std::vector<PossiblePlace> possible_places(CallContext& context,
                                           std::span<const ResolvedIndex> indices,
                                           const std::vector<Axis>& axes, NodeId active) {
  GraphBuilder& builder = context.builder;
  std::vector<PossiblePlace> places{{0, active}};
  for (const std::size_t unknown_axis : unknown_axes(axes)) {
    std::vector<PossiblePlace> more;
    const Axis& axis = axes[unknown_axis];
    context.spend(static_cast<std::int64_t>(places.size()) * axis.size);
    for (const auto& [offset, mask] : places) {
      for (std::int64_t at = 0; at < axis.size; ++at) {
        const NodeId here = builder.binary(Op::eq, indices[unknown_axis].positions[0],
                                           builder.constant(static_cast<double>(at + 1)));
        more.push_back({offset + at * axis.stride, builder.binary(Op::logical_and, mask, here)});
      }
    }
    places = std::move(more);
  }
  return places;
}

}  // namespace

Value read_index(CallContext& context, const Value& base, std::span<const ResolvedIndex> indices) {
  if (indices.empty()) return base;
  if (base.is_tuple()) {
    std::vector<Value> parts;
    for (const Value& part : base.parts()) parts.push_back(read_index(context, part, indices));
    const Dims dims = array_dims_left(base, parts[0], indices);
    const StanType type = base.type().with_rank(static_cast<int>(dims.count()));
    return Value::tuple(type, dims, std::move(parts));
  }
  for (std::size_t i = 0; i < indices.size(); ++i) {
    if (!indices[i].all && indices[i].keeps_dimension && !is_known(context, indices[i])) {
      Value listed = read_listed(context, base, indices, i);
      listed.trace.over_records = i == 0 && indices[i].trace.over_records;
      return listed;
    }
  }
  const std::vector<Axis> axes = axes_of(context, base, indices);
  const std::vector<std::size_t> unknown = unknown_axes(axes);
  if (unknown.size() > 1) {
    std::vector<ResolvedIndex> first(unknown[0], whole());
    first.push_back(indices[unknown[0]]);
    std::vector<ResolvedIndex> rest(indices.begin(), indices.end());
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(unknown[0]));
    return read_index(context, read_index(context, base, first), rest);
  }
  Value result = unknown.empty() ? read_known(context, base, indices, axes)
                                 : read_gathered(context, base, indices, axes, unknown[0]);
  result.trace = index_trace(base, indices, axes);
  return result;
}

void write_index(CallContext& context, Value& base, std::span<const ResolvedIndex> indices,
                 const Value& value, NodeId active) {
  GraphBuilder& builder = context.builder;
  const double* always = builder.constant_value(active);
  if (always != nullptr && *always == 0) return;
  if (base.is_tuple()) return write_tuple(context, base, indices, value, active);
  if (value.is_tuple()) context.fail("The tuple that is assigned to has no value.");
  if (indices.empty()) return write_whole(context, base, value, active);
  const std::vector<Axis> axes = axes_of(context, base, indices);
  for (const std::size_t axis : unknown_axes(axes)) {
    if (!indices[axis].keeps_dimension) continue;
    context.fail(kModelUnsupported, "The positions assigned to depend on record data.",
                 "Assign to one position at a time in a loop, or use a record's value directly; "
                 "leave out rows with a missing outcome.");
  }
  const std::vector<std::int64_t> offsets = wanted_offsets(context, base, axes);
  if (value.size() != static_cast<std::int64_t>(offsets.size())) {
    context.fail(
        fmt::format("{} entries are assigned to {} positions.", value.size(), offsets.size()));
  }
  base.trace.variable = -1;
  base.trace.over_records = base.trace.over_records || value.trace.over_records;
  const std::vector<PossiblePlace> places = possible_places(context, indices, axes, active);
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    const NodeId node = value.entry(builder, static_cast<std::int64_t>(i));
    context.spend(static_cast<std::int64_t>(places.size()));
    for (const auto& [offset, mask] : places) {
      const std::int64_t at = offsets[i] + offset;
      const NodeId blend = builder.select(mask, node, base.entry(builder, at));
      if (base.set_entry(builder, at, blend)) context.spend(base.size() / 16 + 1);
    }
  }
}

}  // namespace dpvi
