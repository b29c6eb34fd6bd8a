#include <dpvi/model/transform_parts.hpp>

#include <cmath>
#include <vector>

// Transforms of vectors and matrices whose entries are tied together by a sum or a norm.
namespace dpvi {
namespace {

// An orthonormal basis of the vectors of length `size` that sum to zero, in Stan's order. The
// matrix is size x (size - 1) and column-major. Column i, counted from 1, has i entries a, then -i
// a, then zeros.
std::vector<double> sum_to_zero_basis(std::int32_t size) {
  std::vector<double> basis;
  for (std::int32_t i = 1; i < size; ++i) {
    const double a = 1.0 / std::sqrt(i * (i + 1.0));
    for (std::int32_t row = 0; row < size; ++row) {
      basis.push_back(row < i ? a : row == i ? -i * a : 0.0);
    }
  }
  return basis;
}

// The basis that Stan uses for the two sides of a matrix. Column i, counted from 0, has (i + 1) a
// in row i, and -a in the rows before it and in the last row.
std::vector<double> sum_to_zero_side(std::int32_t size) {
  std::vector<double> basis;
  for (std::int32_t i = 0; i < size - 1; ++i) {
    const double a = 1.0 / std::sqrt((i + 1.0) * (i + 2.0));
    for (std::int32_t row = 0; row < size; ++row) {
      const bool shares = row < i || row == size - 1;
      basis.push_back(shares ? -a : row == i ? (i + 1.0) * a : 0.0);
    }
  }
  return basis;
}

Expression sum_to_zero(Expression free) {
  const std::int32_t size = free.length() + 1;
  const std::vector<double> basis = sum_to_zero_basis(size);
  const MatmulShape shape{size, size - 1, 1, 1, size};
  GraphBuilder& g = *free.builder;
  return free.with(g.matmul(g.constant(basis), free.id, shape));
}

// The transpose of a rows x columns matrix. Both matrices are column-major.
Expression transposed(Expression flat, std::int32_t rows, std::int32_t columns) {
  std::vector<Expression> parts;
  for (std::int32_t r = 0; r < rows; ++r) parts.push_back(slice(flat, r, columns, rows));
  return pack(*flat.builder, parts);
}

// Maps each run of `size - 1` free values to a simplex and concatenates the results.
ConstrainedExpression simplexes(Expression free, std::int32_t size, std::int32_t count) {
  std::vector<Expression> values;
  Expression log_jacobian = free.with(0.0);
  for (std::int32_t i = 0; i < count; ++i) {
    const auto part = constrain_simplex(slice(free, i * (size - 1), size - 1));
    values.push_back(part.value);
    log_jacobian = log_jacobian + part.log_jacobian;
  }
  return {pack(*free.builder, values), log_jacobian};
}

}  // namespace

// Inverse isometric log-ratio transform (Stan 2.37 and later): the softmax of a vector that sums to
// zero.
ConstrainedExpression constrain_simplex(Expression free) {
  const std::int32_t size = free.length() + 1;
  if (size == 1) return {free.with(1.0), free.with(0.0)};
  const Expression logits = sum_to_zero(free);
  const Expression log_total = log_sum_exp(logits);
  // The logits sum to zero, so the log probabilities sum to -size log_total.
  const Expression log_jacobian = 0.5 * std::log(size) - static_cast<double>(size) * log_total;
  return {exp(logits - log_total), log_jacobian};
}

ConstrainedExpression constrain_column_stochastic(const Transform& transform, Expression free) {
  return simplexes(free, transform.rows, transform.columns);
}

ConstrainedExpression constrain_row_stochastic(const Transform& transform, Expression free) {
  const std::int32_t rows = transform.rows;
  const std::int32_t columns = transform.columns;
  if (columns == 1) return {repeat(free.with(1.0), rows), free.with(0.0)};
  auto by_rows = simplexes(transposed(free, rows, columns - 1), columns, rows);
  by_rows.value = transposed(by_rows.value, columns, rows);
  return by_rows;
}

// As in Stan, the second result is not a Jacobian. It is the unnormalised standard normal log
// density of `free`, which makes the unused length proper.
ConstrainedExpression constrain_unit_vector(Expression free) {
  const Expression squared_length = dot(free, free);
  const Expression valid = where(positive_finite(squared_length), squared_length);
  return {free / sqrt(valid), -0.5 * valid};
}

// The map is linear with orthonormal columns, so it preserves volume.
ConstrainedExpression constrain_sum_to_zero_vector(Expression free) {
  if (free.length() == 0) return {free.with(0.0), free.with(0.0)};
  return {sum_to_zero(free), free.with(0.0)};
}

ConstrainedExpression constrain_sum_to_zero_matrix(const Transform& transform, Expression free) {
  const std::int32_t rows = transform.rows;
  const std::int32_t columns = transform.columns;
  GraphBuilder& g = *free.builder;
  if (free.length() == 0) return {repeat(free.with(0.0), rows * columns), free.with(0.0)};
  const NodeId left = g.constant(sum_to_zero_side(rows));
  const NodeId right = g.constant(sum_to_zero_side(columns));
  // (right (left X)')' with X of size (rows - 1) x (columns - 1).
  const NodeId tall = g.matmul(left, free.id, {rows, rows - 1, columns - 1, 1, rows});
  const Expression wide = transposed(free.with(tall), rows, columns - 1);
  const NodeId both = g.matmul(right, wide.id, {columns, columns - 1, rows, 1, columns});
  return {transposed(free.with(both), columns, rows), free.with(0.0)};
}

namespace {

// The coordinates of each of `count` vectors in an orthonormal basis with `size` rows.
Expression coordinates(Expression values, const std::vector<double>& basis, std::int32_t size,
                       std::int32_t count) {
  GraphBuilder& g = *values.builder;
  return values.with(g.matmul(g.constant(basis), values.id, {size - 1, size, count, size, 1}));
}

// Returns the values, or NaN for all entries if they do not sum to `total`.
Expression summing_to(Expression values, double total) {
  const Expression apart = fabs(sum(values) - total);
  return where(apart <= rule_tolerance(apart), values);
}

}  // namespace

Expression free_simplex(Expression value) {
  const Expression kept = summing_to(where(nonnegative(value), value), 1.0);
  return coordinates(log(kept), sum_to_zero_basis(value.length()), value.length(), 1);
}

Expression free_column_stochastic(const Transform& transform, Expression value) {
  std::vector<Expression> parts;
  for (std::int32_t c = 0; c < transform.columns; ++c) {
    parts.push_back(free_simplex(slice(value, c * transform.rows, transform.rows)));
  }
  return pack(*value.builder, parts);
}

Expression free_row_stochastic(const Transform& transform, Expression value) {
  const Transform turned{.kind = TransformKind::column_stochastic_matrix,
                         .rows = transform.columns,
                         .columns = transform.rows};
  const Expression by_rows =
      free_column_stochastic(turned, transposed(value, transform.rows, transform.columns));
  return transposed(by_rows, transform.columns - 1, transform.rows);
}

Expression free_unit_vector(Expression value) {
  const Expression apart = fabs(dot(value, value) - 1.0);
  return where(apart <= rule_tolerance(apart), value);
}

Expression free_sum_to_zero_vector(Expression value) {
  return coordinates(summing_to(value, 0.0), sum_to_zero_basis(value.length()), value.length(), 1);
}

Expression free_sum_to_zero_matrix(const Transform& transform, Expression value) {
  const std::int32_t rows = transform.rows;
  const std::int32_t columns = transform.columns;
  const auto kept_columns = [](Expression matrix, std::int32_t height, std::int32_t width) {
    std::vector<Expression> parts;
    for (std::int32_t c = 0; c < width; ++c) {
      parts.push_back(summing_to(slice(matrix, c * height, height), 0.0));
    }
    return pack(*matrix.builder, parts);
  };
  const Expression tall = kept_columns(value, rows, columns);
  const Expression wide = kept_columns(transposed(tall, rows, columns), columns, rows);
  const Expression by_rows = coordinates(wide, sum_to_zero_side(columns), columns, rows);
  const Expression narrow = transposed(by_rows, columns - 1, rows);
  return coordinates(narrow, sum_to_zero_side(rows), rows, columns - 1);
}

}  // namespace dpvi
