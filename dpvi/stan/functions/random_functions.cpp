#include <dpvi/stan/functions/random_functions.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>

#include <fmt/format.h>

#include <dpvi/stan/functions/vector_draws.hpp>
#include <dpvi/stan/value/scalar_draws.hpp>

namespace dpvi {
namespace {

// A stream that is seeded with the arguments of a draw.
UniformSource repeated_source(std::string_view distribution, std::span<const double> arguments) {
  std::uint64_t state = std::hash<std::string_view>()(distribution);
  const auto mix = [](std::uint64_t word) {  // splitmix64
    word += 0x9e3779b97f4a7c15;
    word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9;
    word = (word ^ (word >> 27)) * 0x94d049bb133111eb;
    return word ^ (word >> 31);
  };
  for (const double argument : arguments) {
    state = mix(state ^ std::bit_cast<std::uint64_t>(argument));
  }
  return [state, mix]() mutable {
    state = mix(state);
    return (static_cast<double>(state >> 12) + 0.5) * 0x1p-52;
  };
}

UniformSource source_for(const CallContext& context, const DensityRow& row,
                         std::span<const double> arguments) {
  return context.draws_repeat ? repeated_source(row.name, arguments) : context.draws;
}

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

// The number of entries of a variate, which is known before the values of its parameters.
std::int32_t variate_size(CallContext& context, std::span<const Value> parameters,
                          StanType result) {
  if (result.is_scalar()) return 1;
  const auto sized = std::find_if(parameters.begin(), parameters.end(),
                                  [](const Value& value) { return !value.is_scalar(); });
  if (sized == parameters.end()) {
    const std::int64_t side = context.known_int(parameters[0], "a size");
    return context.checked_size(side * side);
  }
  const std::int64_t side = std::max(sized->rows(), sized->columns());
  return context.checked_size(result == kMatrixType ? side * side : side);
}

DrawArgument argument_of(CallContext& context, const Value& value) {
  return {value.entries(context.builder), static_cast<std::size_t>(value.rows()),
          static_cast<std::size_t>(value.columns())};
}

NodeId note_site(CallContext& context, DrawSite site) {
  site.first_column = context.sites->next_column;
  context.sites->next_column += site.count;
  const NodeId drawn = context.builder.record_real(site.first_column, site.count);
  context.sites->sites.push_back(std::move(site));
  return drawn;
}

Value one_vector_later(CallContext& context, const DensityRow& row,
                       std::span<const Value> parameters, StanType result) {
  DrawSite site;
  site.distribution = row.name;
  site.draws_together = true;
  for (const Value& value : parameters) site.arguments.push_back(argument_of(context, value));
  site.count = variate_size(context, parameters, result);
  const std::vector<double> size(static_cast<std::size_t>(site.count));
  const Dims dims = result_dims(parameters[0], result, size);
  return Value(result, dims, note_site(context, std::move(site)));
}

Value one_vector(CallContext& context, const DensityRow& row, std::span<const Value> parameters,
                 StanType result) {
  if (!has_vector_draw(row.name)) {
    context.fail(kModelUnsupported, fmt::format("'{}' is not supported.", context.function));
  }
  if (context.sites != nullptr) return one_vector_later(context, row, parameters, result);
  std::vector<KnownNumbers> given;
  for (const Value& value : parameters) given.push_back(known(context, value));
  if (!has_valid_shapes(row.name, given)) {
    context.fail(
        fmt::format("{}: sizes do not match, or a shape is not positive.", context.function));
  }
  std::vector<double> all;
  for (const KnownNumbers& one : given) {
    all.insert(all.end(), one.numbers.begin(), one.numbers.end());
  }
  const std::vector<double> drawn = draw_vector(source_for(context, row, all), row.name, given);
  context.checked_size(static_cast<std::int64_t>(drawn.size()));
  return Value(result, result_dims(parameters[0], result, drawn), context.builder.constant(drawn));
}

// An array of locations gives an array of variates.
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

// Creates one draw site per number.
Value scalars_later(CallContext& context, const DensityRow& row, std::span<const Value> parameters,
                    StanType result) {
  std::int64_t count = 1;
  for (const Value& value : parameters) count = value.is_scalar() ? count : value.size();
  std::vector<NodeId> drawn;
  for (std::int64_t i = 0; i < count; ++i) {
    context.spend(1);
    DrawSite site;
    site.distribution = row.name;
    for (const Value& value : parameters) {
      if (value.size() != 1 && value.size() != count) {
        context.fail("Arguments have different sizes.");
      }
      site.arguments.push_back({{value.entry(context.builder, value.size() == 1 ? 0 : i)}});
    }
    drawn.push_back(note_site(context, std::move(site)));
  }
  if (result.is_scalar()) return Value::scalar(result, drawn.front());
  return Value(result, Dims{count}, std::move(drawn));
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
      if (size != 1 && size != count) context.fail("Arguments have different sizes.");
      own.push_back(argument.numbers[size == 1 ? 0 : i]);
    }
    drawn.push_back(draw_scalar(source_for(context, row, own), row.name, own));
  }
  const Dims dims = result.is_scalar() ? Dims{} : Dims{static_cast<std::int64_t>(count)};
  return Value(result, dims, context.builder.constant(drawn));
}

}  // namespace

Value random_value(CallContext& context, const DensityRow& row, std::span<const Value> parameters,
                   StanType result) {
  if (!context.draws && !context.draws_repeat && context.sites == nullptr) {
    context.fail(
        kModelUnsupported,
        fmt::format("'{}' draws random numbers, which is not possible here.", context.function));
  }
  if (row.random.empty()) {
    return context.sites != nullptr ? scalars_later(context, row, parameters, result)
                                    : scalars(context, row, parameters, result);
  }
  const bool arrays = std::any_of(parameters.begin(), parameters.end(), [](const Value& value) {
    return value.type().is_array() && value.type().base != StanBase::integer;
  });
  return arrays ? many_vectors(context, row, parameters, result)
                : one_vector(context, row, parameters, result);
}

}  // namespace dpvi
