#include <dpvi/stan/functions/constrain_functions.hpp>

#include <string>
#include <vector>

#include <fmt/format.h>

#include <dpvi/model/transform.hpp>
#include <dpvi/stan/types/function_table.hpp>
#include <dpvi/stan/value/operators.hpp>
#include <dpvi/stan/value/value_formula.hpp>

// The transforms behind Stan's constrained types, as functions: _constrain, _jacobian (which adds
// the log Jacobian to the density) and _unconstrain.
namespace dpvi {
namespace {

using Arguments = std::span<const Value>;

// Applies bounds, or offset and multiplier, entry by entry.
ConstrainedValue transformed_entries(CallContext& context, Transform transform, const Value& free) {
  GraphBuilder& builder = context.builder;
  if (free.size() == 0) return {free, builder.constant(0.0)};
  transform.rows = context.checked_size(free.size());
  const ConstrainedNode made = constrain(builder, transform, free.flat(builder));
  const StanBase base = free.type().base == StanBase::integer ? StanBase::real : free.type().base;
  return {Value({base, free.type().array_rank}, free.dims(), made.value), made.log_jacobian};
}

NodeId limit(CallContext& context, const Value& value, const Value& free) {
  if (!value.is_scalar() && value.size() != free.size()) {
    context.fail(fmt::format("A bound ({}) and its value ({}) differ in shape.", shape_text(value),
                             shape_text(free)));
  }
  return value.flat(context.builder);
}

ConstrainedValue lower_bound(CallContext& context, Arguments arguments) {
  Transform transform{.kind = TransformKind::bounded};
  transform.lower = limit(context, arguments[1], arguments[0]);
  return transformed_entries(context, transform, arguments[0]);
}

ConstrainedValue upper_bound(CallContext& context, Arguments arguments) {
  Transform transform{.kind = TransformKind::bounded};
  transform.upper = limit(context, arguments[1], arguments[0]);
  return transformed_entries(context, transform, arguments[0]);
}

ConstrainedValue lower_upper_bound(CallContext& context, Arguments arguments) {
  Transform transform{.kind = TransformKind::bounded};
  transform.lower = limit(context, arguments[1], arguments[0]);
  transform.upper = limit(context, arguments[2], arguments[0]);
  return transformed_entries(context, transform, arguments[0]);
}

ConstrainedValue offset_multiplier(CallContext& context, Arguments arguments) {
  Transform transform{.kind = TransformKind::affine};
  transform.offset = limit(context, arguments[1], arguments[0]);
  transform.multiplier = limit(context, arguments[2], arguments[0]);
  return transformed_entries(context, transform, arguments[0]);
}

// Sizes of the constrained value, derived from those of the free value or from further arguments.
template <TransformKind kKind>
Dims constrained_sizes(CallContext& context, const Value& free, Arguments sizes) {
  const std::int64_t rows = free.rows();
  const std::int64_t columns = free.columns();
  switch (kKind) {
    case TransformKind::simplex:
    case TransformKind::sum_to_zero_vector:
      return {rows + 1};
    case TransformKind::sum_to_zero_matrix:
      return {rows + 1, columns + 1};
    case TransformKind::column_stochastic_matrix:
      return {rows + 1, columns};
    case TransformKind::row_stochastic_matrix:
      return {rows, columns + 1};
    case TransformKind::ordered:
    case TransformKind::positive_ordered:
    case TransformKind::unit_vector:
      return {rows};
    default:
      return {context.known_int(sizes.front(), "A size"),
              context.known_int(sizes.back(), "A size")};
  }
}

// Constrains vectors and matrices as a whole, separately for each element of an array.
template <TransformKind kKind>
ConstrainedValue special(CallContext& context, Arguments arguments) {
  GraphBuilder& builder = context.builder;
  const Value& free = arguments[0];
  const Dims sizes = constrained_sizes<kKind>(context, free, arguments.subspan(1));
  Transform transform{.kind = kKind};
  transform.rows = context.checked_size(sizes[0]);
  transform.columns = sizes.count() > 1 ? context.checked_size(sizes[1]) : 1;
  context.checked_size(sizes.total());
  const auto arrays = static_cast<std::size_t>(free.type().array_rank);
  const std::int32_t length = context.checked_size(free.dims().from(arrays).total());
  if (length != free_size(transform)) {
    context.fail(fmt::format("'{}' needs {} numbers for this size, not {}.", context.function,
                             free_size(transform), length));
  }
  Dims dims;
  std::int64_t pieces = 1;
  for (std::size_t i = 0; i < arrays; ++i) {
    dims.push(free.dims()[i]);
    pieces *= free.dims()[i];
  }
  for (std::size_t i = 0; i < sizes.count(); ++i) dims.push(sizes[i]);
  std::vector<NodeId> parts;
  NodeId log_jacobian = builder.constant(0.0);
  for (std::int64_t i = 0; i < pieces; ++i) {
    context.spend(length + 1);
    const NodeId own =
        builder.slice(free.flat(builder), static_cast<std::int32_t>(i) * length, length);
    const ConstrainedNode made = constrain(builder, transform, own);
    log_jacobian = builder.add(log_jacobian, made.log_jacobian);
    parts.push_back(made.value);
  }
  const StanBase base = sizes.count() > 1 ? StanBase::matrix : StanBase::vector;
  return {Value({base, free.type().array_rank}, dims, builder.pack(parts)), log_jacobian};
}

Value lower_bound_free(CallContext& context, Arguments arguments) {
  const Formula f{context};
  return f(Op::log, f(Op::sub, arguments[0], arguments[1]));
}

Value upper_bound_free(CallContext& context, Arguments arguments) {
  const Formula f{context};
  return f(Op::log, f(Op::sub, arguments[1], arguments[0]));
}

Value lower_upper_bound_free(CallContext& context, Arguments arguments) {
  const Formula f{context};
  const Value width = f(Op::sub, arguments[2], arguments[1]);
  return f(Op::logit, f(Op::div, f(Op::sub, arguments[0], arguments[1]), width));
}

Value offset_multiplier_free(CallContext& context, Arguments arguments) {
  const Formula f{context};
  return f(Op::div, f(Op::sub, arguments[0], arguments[1]), arguments[2]);
}

// Sizes of the free value.
Dims free_sizes(const Transform& transform) {
  switch (transform.kind) {
    case TransformKind::sum_to_zero_matrix:
      return {transform.rows - 1, transform.columns - 1};
    case TransformKind::column_stochastic_matrix:
      return {transform.rows - 1, transform.columns};
    case TransformKind::row_stochastic_matrix:
      return {transform.rows, transform.columns - 1};
    default:
      return {free_size(transform)};
  }
}

// The free numbers of vectors and matrices, separately for each element of an array.
template <TransformKind kKind>
Value special_free(CallContext& context, Arguments arguments) {
  GraphBuilder& builder = context.builder;
  const Value& value = arguments[0];
  Transform transform{.kind = kKind};
  transform.rows = context.checked_size(value.rows());
  transform.columns = context.checked_size(value.columns());
  const bool square = kKind == TransformKind::cholesky_factor_corr ||
                      kKind == TransformKind::corr_matrix || kKind == TransformKind::cov_matrix;
  const bool wide =
      kKind == TransformKind::cholesky_factor_cov && transform.columns > transform.rows;
  if ((square && transform.rows != transform.columns) || wide || value.rows() < 1 ||
      value.columns() < 1) {
    context.fail(fmt::format("'{}' does not take {}.", context.function, shape_text(value)));
  }
  const auto arrays = static_cast<std::size_t>(value.type().array_rank);
  Dims dims;
  std::int64_t pieces = 1;
  for (std::size_t i = 0; i < arrays; ++i) {
    dims.push(value.dims()[i]);
    pieces *= value.dims()[i];
  }
  const std::int32_t length = transform.rows * transform.columns;
  const Dims sizes = free_sizes(transform);
  for (std::size_t i = 0; i < sizes.count(); ++i) dims.push(sizes[i]);
  std::vector<NodeId> parts;
  for (std::int64_t i = 0; i < pieces; ++i) {
    context.spend(std::int64_t{length} * transform.columns + 1);
    const NodeId own =
        builder.slice(value.flat(builder), static_cast<std::int32_t>(i) * length, length);
    parts.push_back(unconstrain(builder, transform, own));
  }
  const StanBase base = sizes.count() > 1 ? StanBase::matrix : StanBase::vector;
  return Value({base, value.type().array_rank}, dims, builder.pack(parts));
}

// A signature and its overloads for arrays: the first word and the result get the array dimensions.
std::string for_arrays(std::string_view signature) {
  const std::size_t first = signature.find(' ');
  const std::string_view head = signature.substr(0, first);
  const std::string_view rest = signature.substr(first);
  std::string text(signature);
  for (std::size_t rank = 1; rank <= kMaxArrayRank; ++rank) {
    const std::string commas(rank - 1, ',');
    text += fmt::format(";{}[{}]{}[{}]", head, commas, rest, commas);
  }
  return text;
}

struct SignatureTexts {
  std::string vectors = for_arrays("vector -> vector");
  std::string matrices = for_arrays("matrix -> matrix");
  std::string both = vectors + ";" + matrices;
  std::string square = for_arrays("vector int -> matrix");
  std::string oblong = for_arrays("vector int int -> matrix");
  std::string freed = for_arrays("matrix -> vector");
};

const SignatureTexts& texts() {
  static const SignatureTexts kTexts;
  return kTexts;
}

using Kind = TransformKind;

// The two functions of each transform, with the suffixes _constrain and _jacobian.
struct TransformFunction {
  std::string_view constrain, jacobian;
  std::string_view signatures;
  ConstrainedValue (*run)(CallContext&, Arguments);
};

// Dispatches on vector or matrix.
ConstrainedValue sum_to_zero(CallContext& context, Arguments arguments) {
  return arguments[0].type().base == StanBase::matrix
             ? special<Kind::sum_to_zero_matrix>(context, arguments)
             : special<Kind::sum_to_zero_vector>(context, arguments);
}

const std::vector<TransformFunction>& transforms() {
  static const std::vector<TransformFunction> kTransforms = {
      {"lower_bound_constrain", "lower_bound_jacobian", "x x -> x", lower_bound},
      {"upper_bound_constrain", "upper_bound_jacobian", "x x -> x", upper_bound},
      {"lower_upper_bound_constrain", "lower_upper_bound_jacobian", "x x x -> x",
       lower_upper_bound},
      {"offset_multiplier_constrain", "offset_multiplier_jacobian", "x x x -> x",
       offset_multiplier},
      {"ordered_constrain", "ordered_jacobian", texts().vectors, special<Kind::ordered>},
      {"positive_ordered_constrain", "positive_ordered_jacobian", texts().vectors,
       special<Kind::positive_ordered>},
      {"simplex_constrain", "simplex_jacobian", texts().vectors, special<Kind::simplex>},
      {"unit_vector_constrain", "unit_vector_jacobian", texts().vectors,
       special<Kind::unit_vector>},
      {"sum_to_zero_constrain", "sum_to_zero_jacobian", texts().both, sum_to_zero},
      {"stochastic_column_constrain", "stochastic_column_jacobian", texts().matrices,
       special<Kind::column_stochastic_matrix>},
      {"stochastic_row_constrain", "stochastic_row_jacobian", texts().matrices,
       special<Kind::row_stochastic_matrix>},
      {"cholesky_factor_corr_constrain", "cholesky_factor_corr_jacobian", texts().square,
       special<Kind::cholesky_factor_corr>},
      {"corr_matrix_constrain", "corr_matrix_jacobian", texts().square, special<Kind::corr_matrix>},
      {"cov_matrix_constrain", "cov_matrix_jacobian", texts().square, special<Kind::cov_matrix>},
      {"cholesky_factor_cov_constrain", "cholesky_factor_cov_jacobian", texts().oblong,
       special<Kind::cholesky_factor_cov>},
  };
  return kTransforms;
}

ConstrainedValue transform_called(CallContext& context, Arguments arguments) {
  for (const TransformFunction& transform : transforms()) {
    if (context.function == transform.constrain || context.function == transform.jacobian) {
      return transform.run(context, arguments);
    }
  }
  throw InternalError(kInternal, "No transform of this name.", "Report this.");
}

Value sum_to_zero_free(CallContext& context, Arguments arguments) {
  return arguments[0].type().base == StanBase::matrix
             ? special_free<Kind::sum_to_zero_matrix>(context, arguments)
             : special_free<Kind::sum_to_zero_vector>(context, arguments);
}

Value constrained(CallContext& context, Arguments arguments) {
  return transform_called(context, arguments).value;
}

std::vector<FunctionRow> make_rows() {
  std::vector<FunctionRow> rows = {
      {"lower_bound_unconstrain", "x x -> x", lower_bound_free},
      {"upper_bound_unconstrain", "x x -> x", upper_bound_free},
      {"lower_upper_bound_unconstrain", "x x x -> x", lower_upper_bound_free},
      {"offset_multiplier_unconstrain", "x x x -> x", offset_multiplier_free},
      {"ordered_unconstrain", texts().vectors, special_free<Kind::ordered>},
      {"positive_ordered_unconstrain", texts().vectors, special_free<Kind::positive_ordered>},
      {"simplex_unconstrain", texts().vectors, special_free<Kind::simplex>},
      {"unit_vector_unconstrain", texts().vectors, special_free<Kind::unit_vector>},
      {"sum_to_zero_unconstrain", texts().both, sum_to_zero_free},
      {"stochastic_column_unconstrain", texts().matrices,
       special_free<Kind::column_stochastic_matrix>},
      {"stochastic_row_unconstrain", texts().matrices, special_free<Kind::row_stochastic_matrix>},
      {"cholesky_factor_corr_unconstrain", texts().freed, special_free<Kind::cholesky_factor_corr>},
      {"cholesky_factor_cov_unconstrain", texts().freed, special_free<Kind::cholesky_factor_cov>},
      {"corr_matrix_unconstrain", texts().freed, special_free<Kind::corr_matrix>},
      {"cov_matrix_unconstrain", texts().freed, special_free<Kind::cov_matrix>},
  };
  for (const TransformFunction& transform : transforms()) {
    rows.push_back({transform.constrain, transform.signatures, constrained});
    rows.push_back({transform.jacobian, transform.signatures, constrained});
  }
  return rows;
}

}  // namespace

ConstrainedValue constrained_value(CallContext& context, std::span<const Value> arguments) {
  return transform_called(context, arguments);
}

std::span<const FunctionRow> constrain_function_rows() {
  static const std::vector<FunctionRow> kRows = make_rows();
  return kRows;
}

}  // namespace dpvi
