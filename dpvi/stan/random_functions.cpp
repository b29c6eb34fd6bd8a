#include <dpvi/stan/random_functions.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <dpvi/stan/scalar_draws.hpp>
#include <dpvi/stan/vector_draws.hpp>

namespace dpvi {
namespace {

KnownNumbers known(CallContext& context, const Value& value) {
  const NodeId node = value.flat(context.builder);
  if (!context.builder.is_constant(node)) {
    context.fail(
        kModelUnsupported,
        fmt::format("'{}' draws from a distribution that is not known here.", context.function));
  }
  const std::span<const double> numbers = context.builder.graph()[node].values;
  return {{numbers.begin(), numbers.end()},
          static_cast<std::size_t>(value.rows()),
          static_cast<std::size_t>(value.columns())};
}

Dims result_dims(const Value& like, StanType result, const std::vector<double>& drawn) {
  if (result.is_scalar()) return {};
  const auto size = static_cast<std::int64_t>(drawn.size());
  if (result == kMatrixType) {
    const auto side = static_cast<std::int64_t>(std::llround(std::sqrt(drawn.size())));
    return {side, side};
  }
  return result.base == StanBase::vector && result.array_rank == 1 ? Dims{1, like.size()}
                                                                   : Dims{size};
}

Value one_vector(CallContext& context, const DensityRow& row, std::span<const Value> parameters,
                 StanType result) {
  if (!has_vector_draw(row.name)) {
    context.fail(kModelUnsupported, fmt::format("'{}' is not supported.", context.function));
  }
  std::vector<KnownNumbers> given;
  for (const Value& value : parameters) given.push_back(known(context, value));
  if (!has_valid_shapes(row.name, given)) {
    context.fail(fmt::format("{}: sizes do not fit, or a shape is not positive.", context.function));
  }
  const std::vector<double> drawn = draw_vector(context.draws, row.name, given);
  context.checked_size(static_cast<std::int64_t>(drawn.size()));
  return Value(result, result_dims(parameters[0], result, drawn), context.builder.constant(drawn));
}

// Arrays of locations give arrays of variates.
Value many_vectors(CallContext& context, const DensityRow& row, std::span<const Value> parameters,
                   StanType result) {
  std::vector<NodeId> parts;
  const auto array = std::find_if(parameters.begin(), parameters.end(),
                                  [](const Value& value) { return value.type().is_array(); });
  const std::int64_t count = array->dims()[0];
  for (std::int64_t i = 0; i < count; ++i) {
    std::vector<Value> single(parameters.begin(), parameters.end());
    for (Value& value : single) {
      if (value.type().is_array()) value = value.array_element(context.builder, i);
    }
    parts.push_back(one_vector(context, row, single, result.element()).flat(context.builder));
  }
  return Value(result, {count, array->dims()[1]}, context.builder.pack(parts));
}

Value scalars(CallContext& context, const DensityRow& row, std::span<const Value> parameters,
              StanType result) {
  std::size_t count = 1;
  std::vector<KnownNumbers> given;
  for (const Value& value : parameters) {
    given.push_back(known(context, value));
    if (!value.is_scalar()) count = static_cast<std::size_t>(value.size());
  }
  std::vector<double> drawn;
  for (std::size_t i = 0; i < count; ++i) {
    context.spend(1);
    std::vector<double> own;
    for (const KnownNumbers& argument : given) {
      const std::size_t size = argument.numbers.size();
      if (size != 1 && size != count) context.fail("Arguments of different sizes do not fit.");
      own.push_back(argument.numbers[size == 1 ? 0 : i]);
    }
    drawn.push_back(draw_scalar(context.draws, row.name, own));
  }
  const Dims dims = result.is_scalar() ? Dims{} : Dims{static_cast<std::int64_t>(count)};
  return Value(result, dims, context.builder.constant(drawn));
}

}  // namespace

Value random_value(CallContext& context, const DensityRow& row, std::span<const Value> parameters,
                   StanType result) {
  if (!context.draws) {
    context.fail(kModelUnsupported,
                 fmt::format("'{}' draws random numbers; none are drawn here.", context.function));
  }
  if (row.random.empty()) return scalars(context, row, parameters, result);
  const bool arrays = std::any_of(parameters.begin(), parameters.end(), [](const Value& value) {
    return value.type().is_array() && value.type().base != StanBase::integer;
  });
  return arrays ? many_vectors(context, row, parameters, result)
                : one_vector(context, row, parameters, result);
}

}  // namespace dpvi
