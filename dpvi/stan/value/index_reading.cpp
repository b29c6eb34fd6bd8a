#include <dpvi/stan/value/index_reading.hpp>

#include <dpvi/stan/types/type_rules.hpp>
#include <dpvi/stan/value/index_axes.hpp>

namespace dpvi {
namespace {

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

Dims kept_dims(const std::vector<IndexAxis>& axes) {
  Dims dims;
  for (const IndexAxis& axis : axes) {
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
                 const std::vector<IndexAxis>& axes) {
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
                    const std::vector<IndexAxis>& axes, std::size_t unknown) {
  GraphBuilder& builder = context.builder;
  const IndexAxis& axis = axes[unknown];
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
                        const std::vector<IndexAxis>& axes) {
  RecordTrace trace;
  trace.counts_records = base.trace.counts_records;
  trace.counts_units = base.trace.counts_units;
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
    if (!indices[i].all && indices[i].keeps_dimension &&
        !positions_are_known(context, indices[i])) {
      Value listed = read_listed(context, base, indices, i);
      listed.trace.over_records = i == 0 && indices[i].trace.over_records;
      return listed;
    }
  }
  const std::vector<IndexAxis> axes = axes_of(context, base, indices);
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

}  // namespace dpvi
