#include <cmath>

#include <fmt/format.h>

#include <dpvi/stan/types/function_table.hpp>
#include <dpvi/stan/value/operators.hpp>

// Functions that construct containers from numbers and sizes.
namespace dpvi {
namespace {

using Arguments = std::span<const Value>;

std::int64_t size_argument(CallContext& context, const Value& value) {
  return context.known_int(value, "A size");
}

Value repeated(CallContext& context, const Value& scalar, StanType type, const Dims& dims,
               bool over_records) {
  GraphBuilder& builder = context.builder;
  const std::int32_t length = context.checked_size(dims.total());
  Value made(type, dims, builder.broadcast(scalar.flat(builder), length));
  made.trace.over_records = over_records;
  return made;
}

Value filled(CallContext& context, double number, StanType type, const Dims& dims) {
  return repeated(context, Value::constant_real(context.builder, number), type, dims, false);
}

Value rep_vector(CallContext& context, Arguments arguments) {
  return repeated(context, arguments[0], kVectorType, {size_argument(context, arguments[1])},
                  arguments[1].trace.counts_records);
}

Value rep_row_vector(CallContext& context, Arguments arguments) {
  return repeated(context, arguments[0], kRowVectorType, {size_argument(context, arguments[1])},
                  arguments[1].trace.counts_records);
}

Value rep_matrix(CallContext& context, Arguments arguments) {
  const std::int64_t first = size_argument(context, arguments[1]);
  if (arguments.size() == 3) {
    return repeated(context, arguments[0], kMatrixType,
                    {first, size_argument(context, arguments[2])},
                    arguments[1].trace.counts_records);
  }
  GraphBuilder& builder = context.builder;
  const Value& line = arguments[0];
  const bool column = line.type() == kVectorType;
  const Dims dims = column ? Dims{line.size(), first} : Dims{first, line.size()};
  context.checked_size(dims.total());
  std::vector<NodeId> parts;
  if (column) {
    parts.assign(static_cast<std::size_t>(first), line.flat(builder));
  } else {
    for (std::int64_t i = 0; i < line.size(); ++i) {
      parts.push_back(builder.broadcast(line.entry(builder, i), static_cast<std::int32_t>(first)));
    }
  }
  Value made(kMatrixType, dims, builder.pack(parts));
  made.trace.over_records = !column && arguments[1].trace.counts_records;
  return made;
}

Value rep_array(CallContext& context, Arguments arguments) {
  GraphBuilder& builder = context.builder;
  const Value& element = arguments[0];
  Dims dims;
  for (const Value& size : arguments.subspan(1)) dims.push(size_argument(context, size));
  const std::int64_t copies = dims.total();
  for (std::size_t i = 0; i < element.dims().count(); ++i) dims.push(element.dims()[i]);
  const std::int32_t total = context.checked_size(dims.total());
  const StanType type{element.type().base,
                      element.type().array_rank + static_cast<int>(arguments.size()) - 1};
  const NodeId flat = element.flat(builder);
  const NodeId node =
      element.size() == 1
          ? builder.broadcast(flat, total)
          : builder.pack(std::vector<NodeId>(static_cast<std::size_t>(copies), flat));
  Value made(type, dims, node);
  made.trace.over_records = arguments[1].trace.counts_records;
  return made;
}

template <StanBase kBase, int kRank, int kNumber>
Value constant_filled(CallContext& context, Arguments arguments) {
  Dims sizes;
  for (const Value& argument : arguments) sizes.push(size_argument(context, argument));
  return filled(context, kNumber, {kBase, kRank}, sizes);
}

template <StanBase kBase, int kRank>
Value linspaced(CallContext& context, Arguments arguments) {
  const std::int64_t count = size_argument(context, arguments[0]);
  const double* low = arguments[1].known(context.builder);
  const double* high = arguments[2].known(context.builder);
  if (low == nullptr || high == nullptr) {
    context.fail(kModelUnsupported, fmt::format("{} needs known limits.", context.function));
  }
  const double from = *low;
  const double to = *high;
  context.checked_size(count);
  std::vector<double> numbers;
  for (std::int64_t i = 0; i < count; ++i) {
    const double share = count == 1 ? 1.0 : static_cast<double>(i) / static_cast<double>(count - 1);
    const double at = from + share * (to - from);
    numbers.push_back(kBase == StanBase::integer ? std::floor(at) : at);
  }
  return Value({kBase, kRank}, {count}, context.builder.constant(numbers));
}

template <StanBase kBase, int kRank>
Value one_hot(CallContext& context, Arguments arguments) {
  const std::int64_t count = size_argument(context, arguments[0]);
  const std::int64_t at = context.known_int(arguments[1], "The position of the 1");
  context.checked_size(count);
  if (at < 1 || at > count) context.fail(fmt::format("Position {} is outside 1..{}.", at, count));
  std::vector<double> numbers(static_cast<std::size_t>(count), 0.0);
  numbers[static_cast<std::size_t>(at - 1)] = 1.0;
  return Value({kBase, kRank}, {count}, context.builder.constant(numbers));
}

constexpr StanBase kInt = StanBase::integer;
constexpr StanBase kReal = StanBase::real;
constexpr StanBase kVector = StanBase::vector;
constexpr StanBase kRow = StanBase::row_vector;

constexpr FunctionRow kRows[] = {
    {"rep_vector", "real int -> vector", rep_vector},
    {"rep_row_vector", "real int -> row_vector", rep_row_vector},
    {"rep_matrix", "real int int -> matrix;vector int -> matrix;row_vector int -> matrix",
     rep_matrix},
    {"rep_array", "any int -> array1;any int int -> array2;any int int int -> array3", rep_array},
    {"zeros_vector", "int -> vector", constant_filled<kVector, 0, 0>},
    {"ones_vector", "int -> vector", constant_filled<kVector, 0, 1>},
    {"zeros_row_vector", "int -> row_vector", constant_filled<kRow, 0, 0>},
    {"ones_row_vector", "int -> row_vector", constant_filled<kRow, 0, 1>},
    {"zeros_array", "int -> real[]", constant_filled<kReal, 1, 0>},
    {"ones_array", "int -> real[]", constant_filled<kReal, 1, 1>},
    {"zeros_int_array", "int -> int[]", constant_filled<kInt, 1, 0>},
    {"ones_int_array", "int -> int[]", constant_filled<kInt, 1, 1>},
    {"linspaced_vector", "int real real -> vector", linspaced<kVector, 0>},
    {"linspaced_row_vector", "int real real -> row_vector", linspaced<kRow, 0>},
    {"linspaced_array", "int real real -> real[]", linspaced<kReal, 1>},
    {"linspaced_int_array", "int int int -> int[]", linspaced<kInt, 1>},
    {"one_hot_vector", "int int -> vector", one_hot<kVector, 0>},
    {"one_hot_row_vector", "int int -> row_vector", one_hot<kRow, 0>},
    {"one_hot_array", "int int -> real[]", one_hot<kReal, 1>},
    {"one_hot_int_array", "int int -> int[]", one_hot<kInt, 1>},
};

}  // namespace

std::span<const FunctionRow> made_container_rows() { return kRows; }

}  // namespace dpvi
