#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include <dpvi/stan/types/function_table.hpp>
#include <dpvi/stan/value/index_reading.hpp>
#include <dpvi/stan/value/operators.hpp>

// Functions that join, slice, reshape, measure and sort containers.
namespace dpvi {
namespace {

using Arguments = std::span<const Value>;

std::int64_t size_argument(CallContext& context, const Value& value) {
  return context.known_int(value, "A size");
}

Value int_value(CallContext& context, std::int64_t value) {
  return Value::constant_int(context.builder, value);
}

Value to_vector(CallContext&, Arguments arguments) {
  const Value& value = arguments[0];
  Value made = value.with_type(kVectorType, {value.size()});
  // A matrix of records is flattened column by column, so the result is not in record order.
  const bool column = value.dims().count() == 1 || value.columns() == 1;
  if (!column) made.trace = {};
  return made;
}

Value to_row_vector(CallContext&, Arguments arguments) {
  Value made = arguments[0].with_type(kRowVectorType, {arguments[0].size()});
  made.trace = {};
  return made;
}

// Reorders the entries of an array of rows into column-major order, and back.
Value rows_to_columns(CallContext& context, const Value& value, std::int64_t rows,
                      std::int64_t columns) {
  const Value other(kMatrixType, {columns, rows}, value.flat(context.builder));
  return transposed(context, other);
}

Value to_matrix(CallContext& context, Arguments arguments) {
  const Value& value = arguments[0];
  if (arguments.size() == 1) {
    if (value.dims().count() == 2 && value.type().is_array()) {
      Value made = rows_to_columns(context, value, value.dims()[0], value.dims()[1]);
      made.trace = value.trace;
      return made;
    }
    return value.with_type(kMatrixType, {value.rows(), value.columns()});
  }
  const std::int64_t rows = size_argument(context, arguments[1]);
  const std::int64_t columns = size_argument(context, arguments[2]);
  if (rows < 0 || columns < 0 || rows * columns != value.size()) {
    context.fail(
        fmt::format("to_matrix: {} entries do not fill {} x {}.", value.size(), rows, columns));
  }
  const bool by_rows =
      arguments.size() == 4 && context.known_int(arguments[3], "The order of to_matrix") == 0;
  if (by_rows) return rows_to_columns(context, value, rows, columns);
  Value made = value.with_type(kMatrixType, {rows, columns});
  made.trace = {};
  return made;
}

Value to_array_1d(CallContext&, Arguments arguments) {
  const bool ints = arguments[0].type().base == StanBase::integer;
  Value made =
      arguments[0].with_type({ints ? StanBase::integer : StanBase::real, 1}, {arguments[0].size()});
  made.trace = {};
  made.trace.over_records = arguments[0].trace.over_records && arguments[0].dims().count() == 1;
  return made;
}

Value to_array_2d(CallContext& context, Arguments arguments) {
  const Value& matrix = arguments[0];
  return transposed(context, matrix)
      .with_type({StanBase::real, 2}, {matrix.rows(), matrix.columns()});
}

Value joined(CallContext& context, StanType type, const Dims& dims, const Value& a,
             const Value& b) {
  GraphBuilder& builder = context.builder;
  context.checked_size(dims.total());
  const NodeId parts[] = {a.flat(builder), b.flat(builder)};
  return Value(type, dims, builder.pack(parts));
}

Value append_col(CallContext& context, Arguments arguments) {
  const Value& a = arguments[0];
  const Value& b = arguments[1];
  if (a.rows() != b.rows() && a.size() > 0 && b.size() > 0) {
    context.fail(fmt::format("append_col: the arguments have {} and {} rows.", a.rows(), b.rows()));
  }
  const bool row = a.type() != kVectorType && a.type() != kMatrixType && b.type() != kVectorType &&
                   b.type() != kMatrixType;
  const std::int64_t columns = a.columns() + b.columns();
  Value made = row ? joined(context, kRowVectorType, {columns}, a, b)
                   : joined(context, kMatrixType, {a.rows(), columns}, a, b);
  made.trace.over_records = !row && (a.trace.over_records || b.trace.over_records);
  return made;
}

Value append_row(CallContext& context, Arguments arguments) {
  const Value& a = arguments[0];
  const Value& b = arguments[1];
  const bool column = a.type() != kRowVectorType && a.type() != kMatrixType &&
                      b.type() != kRowVectorType && b.type() != kMatrixType;
  if (column) return joined(context, kVectorType, {a.size() + b.size()}, a, b);
  if (a.columns() != b.columns() && a.size() > 0 && b.size() > 0) {
    context.fail(
        fmt::format("append_row: the arguments have {} and {} columns.", a.columns(), b.columns()));
  }
  GraphBuilder& builder = context.builder;
  const Dims dims{a.rows() + b.rows(), std::max(a.columns(), b.columns())};
  context.checked_size(dims.total());
  std::vector<NodeId> parts;
  for (std::int64_t c = 0; c < dims[1]; ++c) {
    for (const Value* part : {&a, &b}) {
      const std::int32_t rows = static_cast<std::int32_t>(part->rows());
      parts.push_back(
          builder.slice(part->flat(builder), static_cast<std::int32_t>(c) * rows, rows));
    }
  }
  return Value(kMatrixType, dims, builder.pack(parts));
}

Value append_array(CallContext& context, Arguments arguments) {
  const Value& a = arguments[0];
  const Value& b = arguments[1];
  if (a.type().array_rank != b.type().array_rank ||
      !(a.dims().from(1) == b.dims().from(1) || a.size() == 0 || b.size() == 0)) {
    context.fail("append_array: the elements have different sizes.");
  }
  Dims dims = a.size() == 0 ? b.dims() : a.dims();
  dims[0] = a.dims()[0] + b.dims()[0];
  return joined(context, common_type(a.type(), b.type()), dims, a, b);
}

// The slice first..last (from 1) of the leading dimension.
Value stretch(CallContext& context, const Value& value, std::int64_t first, std::int64_t last) {
  ResolvedIndex index;
  index.keeps_dimension = true;
  context.checked_size(std::max<std::int64_t>(last - first + 1, 0));
  for (std::int64_t i = first; i <= last; ++i) {
    index.positions.push_back(context.builder.constant(static_cast<double>(i)));
  }
  return read_index(context, value, std::span(&index, 1));
}

std::int64_t leading_size(const Value& value) { return value.dims()[0]; }

Value head(CallContext& context, Arguments arguments) {
  return stretch(context, arguments[0], 1, size_argument(context, arguments[1]));
}

Value tail(CallContext& context, Arguments arguments) {
  const std::int64_t size = leading_size(arguments[0]);
  return stretch(context, arguments[0], size - size_argument(context, arguments[1]) + 1, size);
}

Value segment(CallContext& context, Arguments arguments) {
  const std::int64_t begin = context.known_int(arguments[1], "The start of a segment");
  return stretch(context, arguments[0], begin, begin + size_argument(context, arguments[2]) - 1);
}

ResolvedIndex single_index(const Value& position, CallContext& context) {
  ResolvedIndex index;
  index.positions = {position.flat(context.builder)};
  return index;
}

ResolvedIndex range_index(CallContext& context, std::int64_t first, std::int64_t count) {
  ResolvedIndex index;
  index.keeps_dimension = true;
  context.checked_size(count);
  for (std::int64_t i = 0; i < count; ++i) {
    index.positions.push_back(context.builder.constant(static_cast<double>(first + i)));
  }
  return index;
}

Value row(CallContext& context, Arguments arguments) {
  const ResolvedIndex index = single_index(arguments[1], context);
  return read_index(context, arguments[0], std::span(&index, 1));
}

Value col(CallContext& context, Arguments arguments) {
  ResolvedIndex all;
  all.all = true;
  all.keeps_dimension = true;
  const ResolvedIndex indices[] = {all, single_index(arguments[1], context)};
  return read_index(context, arguments[0], indices);
}

Value block(CallContext& context, Arguments arguments) {
  std::int64_t at[4];
  for (std::size_t i = 0; i < 4; ++i) {
    at[i] = context.known_int(arguments[i + 1], "A position or size in block");
  }
  const ResolvedIndex indices[] = {range_index(context, at[0], at[2]),
                                   range_index(context, at[1], at[3])};
  return read_index(context, arguments[0], indices);
}

Value sub_col(CallContext& context, Arguments arguments) {
  const ResolvedIndex indices[] = {
      range_index(context, context.known_int(arguments[1], "A position in sub_col"),
                  size_argument(context, arguments[3])),
      single_index(arguments[2], context)};
  return read_index(context, arguments[0], indices);
}

Value sub_row(CallContext& context, Arguments arguments) {
  const ResolvedIndex indices[] = {
      single_index(arguments[1], context),
      range_index(context, context.known_int(arguments[2], "A position in sub_row"),
                  size_argument(context, arguments[3]))};
  return read_index(context, arguments[0], indices);
}

Value reverse(CallContext& context, Arguments arguments) {
  ResolvedIndex index;
  index.keeps_dimension = true;
  for (std::int64_t i = leading_size(arguments[0]); i >= 1; --i) {
    index.positions.push_back(context.builder.constant(static_cast<double>(i)));
  }
  return read_index(context, arguments[0], std::span(&index, 1));
}

// The size of a value with one entry per record is the number of records.
Value counted(Value size, const Value& value) {
  size.trace.counts_records = value.trace.over_records;
  size.trace.growth = value.trace.over_records ? 1 : 0;
  return size;
}

Value rows(CallContext& context, Arguments arguments) {
  return counted(int_value(context, arguments[0].rows()), arguments[0]);
}

Value cols(CallContext& context, Arguments arguments) {
  return int_value(context, arguments[0].columns());
}

Value num_elements(CallContext& context, Arguments arguments) {
  Value made = counted(int_value(context, arguments[0].size()), arguments[0]);
  const Dims& dims = arguments[0].dims();
  if (dims.count() > 1) made.trace.growth *= static_cast<double>(dims.from(1).total());
  return made;
}

Value size(CallContext& context, Arguments arguments) {
  const Value& value = arguments[0];
  const bool outer = value.type().is_array();
  return counted(int_value(context, outer ? leading_size(value) : value.size()), value);
}

Value dims(CallContext& context, Arguments arguments) {
  std::vector<double> sizes;
  for (std::size_t i = 0; i < arguments[0].dims().count(); ++i) {
    sizes.push_back(static_cast<double>(arguments[0].dims()[i]));
  }
  return Value({StanBase::integer, 1}, {static_cast<std::int64_t>(sizes.size())},
               context.builder.constant(sizes));
}

void refuse_order_of_records(const CallContext& context, const Value& value) {
  if (!value.trace.over_records) return;
  context.fail(kModelFactorises, fmt::format("{} orders the records.", context.function),
               "A record's contribution may use that record alone.");
}

std::vector<double> known_entries(CallContext& context, const Value& value) {
  const NodeId node = value.flat(context.builder);
  refuse_order_of_records(context, value);
  if (!context.builder.is_constant(node)) {
    context.fail(
        kModelUnsupported,
        fmt::format("{} needs values that are known before the program runs.", context.function));
  }
  const std::span<const double> values = context.builder.graph()[node].values;
  return {values.begin(), values.end()};
}

std::vector<std::size_t> sorted_order(const std::vector<double>& numbers, bool ascending) {
  std::vector<std::size_t> order(numbers.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return ascending ? numbers[a] < numbers[b] : numbers[a] > numbers[b];
  });
  return order;
}

// Sorts entries that differ between records or draws, by a sorting network (Batcher's merge
// exchange).
std::vector<NodeId> sorted_by_exchanges(CallContext& context, std::vector<NodeId> entries) {
  GraphBuilder& builder = context.builder;
  const std::size_t size = entries.size();
  for (std::size_t span = 1; span < size; span *= 2) {
    for (std::size_t step = span; step >= 1; step /= 2) {
      for (std::size_t low = 0; low + step < size; ++low) {
        const std::size_t high = low + step;
        const bool first = low >= step % span && (low - step % span) / step % 2 == 0;
        if (!first || low / (2 * span) != high / (2 * span)) continue;
        context.spend(2);
        const NodeId smaller = builder.binary(Op::min, entries[low], entries[high]);
        entries[high] = builder.binary(Op::max, entries[low], entries[high]);
        entries[low] = smaller;
      }
    }
  }
  return entries;
}

template <bool kAscending>
Value sort(CallContext& context, Arguments arguments) {
  const Value& unsorted = arguments[0];
  refuse_order_of_records(context, unsorted);
  if (!context.builder.is_constant(unsorted.flat(context.builder))) {
    std::vector<NodeId> entries = sorted_by_exchanges(context, unsorted.entries(context.builder));
    if (!kAscending) std::reverse(entries.begin(), entries.end());
    return Value(unsorted.type(), unsorted.dims(), std::move(entries));
  }
  const std::vector<double> numbers = known_entries(context, arguments[0]);
  std::vector<double> sorted;
  for (const std::size_t i : sorted_order(numbers, kAscending)) sorted.push_back(numbers[i]);
  return Value(arguments[0].type(), arguments[0].dims(), context.builder.constant(sorted));
}

template <bool kAscending>
Value sort_indices(CallContext& context, Arguments arguments) {
  const std::vector<double> numbers = known_entries(context, arguments[0]);
  std::vector<double> places;
  for (const std::size_t i : sorted_order(numbers, kAscending)) {
    places.push_back(static_cast<double>(i + 1));
  }
  return Value({StanBase::integer, 1}, {arguments[0].size()}, context.builder.constant(places));
}

// The number of entries that are smaller than the entry at the given position.
Value rank(CallContext& context, Arguments arguments) {
  GraphBuilder& builder = context.builder;
  const ResolvedIndex place = single_index(arguments[1], context);
  const Value own = read_index(context, arguments[0], std::span(&place, 1));
  const NodeId smaller = builder.binary(Op::lt, arguments[0].flat(builder), own.flat(builder));
  return Value::scalar(kIntType, builder.sum(smaller));
}

constexpr std::string_view kLine =
    "vector int -> vector;row_vector int -> row_vector;arrays int -> first";
constexpr std::string_view kSortable =
    "vector -> vector;row_vector -> row_vector;int[] -> int[];real[] -> real[]";
constexpr std::string_view kPlaces =
    "vector -> int[];row_vector -> int[];int[] -> int[];real[] -> int[]";

constexpr FunctionRow kRows[] = {
    {"to_vector",
     "vector -> vector;row_vector -> vector;matrix -> vector;real[] -> vector;int[] -> vector",
     to_vector},
    {"to_row_vector",
     "vector -> row_vector;row_vector -> row_vector;matrix -> row_vector;real[] -> row_vector",
     to_row_vector},
    {"to_matrix",
     "matrix -> matrix;vector -> matrix;row_vector -> matrix;real[,] -> matrix;"
     "row_vector[] -> matrix;"
     "list int int -> matrix;matrix int int -> matrix;list int int int -> matrix;"
     "matrix int int int -> matrix",
     to_matrix},
    {"to_array_1d",
     "int[] -> int[];int[,] -> int[];int[,,] -> int[];int[,,,] -> int[];int[,,,,] -> int[];"
     "int[,,,,,] -> int[];real[] -> real[];real[,] -> real[];real[,,] -> real[];"
     "real[,,,] -> real[];real[,,,,] -> real[];real[,,,,,] -> real[];vector -> real[];"
     "row_vector -> real[];matrix -> real[]",
     to_array_1d},
    {"to_array_2d", "matrix -> real[,]", to_array_2d},
    {"append_col",
     "matrix matrix -> matrix;matrix vector -> matrix;vector matrix -> matrix;"
     "vector vector -> matrix;row_vector row_vector -> row_vector;real row_vector -> row_vector;"
     "row_vector real -> row_vector",
     append_col},
    {"append_row",
     "matrix matrix -> matrix;matrix row_vector -> matrix;row_vector matrix -> matrix;"
     "row_vector row_vector -> matrix;vector vector -> vector;real vector -> vector;"
     "vector real -> vector",
     append_row},
    {"append_array",
     "int[] int[] -> int[];real[] real[] -> real[];int[,] int[,] -> int[,];"
     "real[,] real[,] -> real[,];arrays arrays -> first",
     append_array},
    {"head", kLine, head},
    {"tail", kLine, tail},
    {"segment", "vector int int -> vector;row_vector int int -> row_vector;arrays int int -> first",
     segment},
    {"row", "matrix int -> row_vector", row},
    {"col", "matrix int -> vector", col},
    {"block", "matrix int int int int -> matrix", block},
    {"sub_col", "matrix int int int -> vector", sub_col},
    {"sub_row", "matrix int int int -> row_vector", sub_row},
    {"reverse", "vector -> vector;row_vector -> row_vector;arrays -> first", reverse},
    {"rows", "vector -> int;row_vector -> int;matrix -> int", rows},
    {"cols", "vector -> int;row_vector -> int;matrix -> int", cols},
    {"num_elements", "any -> int", num_elements},
    {"size", "any -> int", size},
    {"dims", "any -> int[]", dims},
    {"rank", "vector int -> int;row_vector int -> int;int[] int -> int;real[] int -> int", rank},
    {"sort_asc", kSortable, sort<true>},
    {"sort_desc", kSortable, sort<false>},
    {"sort_indices_asc", kPlaces, sort_indices<true>},
    {"sort_indices_desc", kPlaces, sort_indices<false>},
};

}  // namespace

std::span<const FunctionRow> container_function_rows() { return kRows; }

}  // namespace dpvi
