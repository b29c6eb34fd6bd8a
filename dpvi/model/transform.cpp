#include <dpvi/model/transform.hpp>

#include <string>

#include <dpvi/base/error.hpp>
#include <dpvi/model/transform_parts.hpp>

namespace dpvi {
namespace {

std::int32_t lower_triangle(std::int32_t n) { return n * (n + 1) / 2; }

ConstrainedExpression constrained(const Transform& transform, Expression free) {
  switch (transform.kind) {
    case TransformKind::identity:
      return {free, free.with(0.0)};
    case TransformKind::bounded:
      return constrain_bounded(transform, free);
    case TransformKind::affine:
      return constrain_affine(transform, free);
    case TransformKind::ordered:
      return constrain_ordered(free);
    case TransformKind::positive_ordered:
      return constrain_positive_ordered(free);
    case TransformKind::simplex:
      return constrain_simplex(free);
    case TransformKind::unit_vector:
      return constrain_unit_vector(free);
    case TransformKind::sum_to_zero_vector:
      return constrain_sum_to_zero_vector(free);
    case TransformKind::sum_to_zero_matrix:
      return constrain_sum_to_zero_matrix(transform, free);
    case TransformKind::cholesky_factor_corr:
      return constrain_cholesky_factor_corr(transform, free);
    case TransformKind::cholesky_factor_cov:
      return constrain_cholesky_factor_cov(transform, free);
    case TransformKind::corr_matrix:
      return constrain_corr_matrix(transform, free);
    case TransformKind::cov_matrix:
      return constrain_cov_matrix(transform, free);
    case TransformKind::column_stochastic_matrix:
      return constrain_column_stochastic(transform, free);
    case TransformKind::row_stochastic_matrix:
      return constrain_row_stochastic(transform, free);
  }
  throw InternalError(kInternal, "A transform of no kind.", "Report this.");
}

Expression freed(const Transform& transform, Expression value) {
  switch (transform.kind) {
    case TransformKind::ordered:
      return free_ordered(value);
    case TransformKind::positive_ordered:
      return free_positive_ordered(value);
    case TransformKind::simplex:
      return free_simplex(value);
    case TransformKind::unit_vector:
      return free_unit_vector(value);
    case TransformKind::sum_to_zero_vector:
      return free_sum_to_zero_vector(value);
    case TransformKind::sum_to_zero_matrix:
      return free_sum_to_zero_matrix(transform, value);
    case TransformKind::cholesky_factor_corr:
      return free_cholesky_factor_corr(transform, value);
    case TransformKind::cholesky_factor_cov:
      return free_cholesky_factor_cov(transform, value);
    case TransformKind::corr_matrix:
      return free_corr_matrix(transform, value);
    case TransformKind::cov_matrix:
      return free_cov_matrix(transform, value);
    case TransformKind::column_stochastic_matrix:
      return free_column_stochastic(transform, value);
    case TransformKind::row_stochastic_matrix:
      return free_row_stochastic(transform, value);
    default:
      throw InternalError(kInternal, "A transform without an inverse.", "Report this.");
  }
}

}  // namespace

bool is_supported(TransformKind kind) { return kind <= TransformKind::row_stochastic_matrix; }

std::int32_t free_size(const Transform& transform) {
  const std::int32_t rows = transform.rows;
  const std::int32_t columns = transform.columns;
  switch (transform.kind) {
    case TransformKind::simplex:
    case TransformKind::sum_to_zero_vector:
      return rows - 1;
    case TransformKind::sum_to_zero_matrix:
      return (rows - 1) * (columns - 1);
    case TransformKind::cholesky_factor_corr:
    case TransformKind::corr_matrix:
      return lower_triangle(rows - 1);
    case TransformKind::cholesky_factor_cov:
      return lower_triangle(columns) + (rows - columns) * columns;
    case TransformKind::cov_matrix:
      return lower_triangle(rows);
    case TransformKind::column_stochastic_matrix:
      return (rows - 1) * columns;
    case TransformKind::row_stochastic_matrix:
      return rows * (columns - 1);
    default:
      return rows * columns;
  }
}

ConstrainedNode constrain(GraphBuilder& builder, const Transform& transform, NodeId free) {
  if (builder.length(free) != free_size(transform)) {
    throw InternalError(kInternal, "A transform of another length than its input.", "Report this.");
  }
  if (transform.rows * transform.columns == 0) {
    return {builder.constant(std::span<const double>()), builder.constant(0.0)};
  }
  const ConstrainedExpression result = constrained(transform, {&builder, free});
  return {result.value.id, result.log_jacobian.id};
}

NodeId unconstrain(GraphBuilder& builder, const Transform& transform, NodeId value) {
  if (builder.length(value) != transform.rows * transform.columns) {
    throw InternalError(kInternal, "A value of another size than its transform.", "Report this.");
  }
  if (free_size(transform) <= 0) return builder.constant(std::span<const double>());
  return freed(transform, {&builder, value}).id;
}

}  // namespace dpvi
