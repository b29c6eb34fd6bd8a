#include <dpvi/model/transform_parts.hpp>

#include <algorithm>
#include <numbers>
#include <vector>

#include <dpvi/model/entry_matrix.hpp>

// Transforms of correlation and covariance matrices and of their Cholesky factors.
namespace dpvi {
namespace {

// log(1 - tanh(x)^2), the log derivative of tanh. It is finite for all finite x.
Expression log_tanh_slope(Expression x) {
  return 2.0 * (std::numbers::ln2 + log_inv_logit(2.0 * x) - x);
}

// A lower triangular matrix filled row by row from `free`, with exp() on the diagonal.
EntryMatrix positive_diagonal_factor(const Transform& transform, Expression free) {
  EntryMatrix factor(*free.builder, transform.rows, transform.columns);
  std::int32_t next = 0;
  for (std::int32_t i = 0; i < transform.rows; ++i) {
    for (std::int32_t j = 0; j <= std::min(i, transform.columns - 1); ++j) {
      factor(i, j) = i == j ? exp(free[next]) : free[next];
      ++next;
    }
  }
  return factor;
}

// The free values whose exp() is on the diagonal.
Expression log_diagonal(const Transform& transform, Expression free) {
  std::vector<Expression> entries;
  std::int32_t place = -1;
  for (std::int32_t i = 0; i < transform.columns; ++i) {
    place += i + 1;
    entries.push_back(free[place]);
  }
  return pack(*free.builder, entries);
}

}  // namespace

// Builds the factor row by row from partial correlations (Stan's cholesky_corr_constrain). Row i is
// a unit vector; its entry j takes the fraction tanh(x) of the remaining length.
ConstrainedExpression constrain_cholesky_factor_corr(const Transform& transform, Expression free) {
  const std::int32_t size = transform.rows;
  EntryMatrix factor(*free.builder, size, size);
  factor(0, 0) = free.with(1.0);
  if (size == 1) return {factor.flat(), free.with(0.0)};
  const Expression partial = tanh(free);
  const Expression log_slopes = log_tanh_slope(free);
  Expression log_jacobian = sum(log_slopes);
  std::int32_t next = 0;
  for (std::int32_t i = 1; i < size; ++i) {
    // Twice the log of the remaining length: the log of the product of the 1 - tanh^2 so far.
    Expression log_left = free.with(0.0);
    for (std::int32_t j = 0; j < i; ++j, ++next) {
      log_jacobian = log_jacobian + 0.5 * log_left;
      factor(i, j) = partial[next] * exp(0.5 * log_left);
      log_left = log_left + log_slopes[next];
    }
    factor(i, i) = exp(0.5 * log_left);
  }
  return {factor.flat(), log_jacobian};
}

ConstrainedExpression constrain_cholesky_factor_cov(const Transform& transform, Expression free) {
  return {positive_diagonal_factor(transform, free).flat(), sum(log_diagonal(transform, free))};
}

// Builds the factor column by column from canonical partial correlations (Lewandowski, Kurowicka
// and Joe 2009, equation 11 for the Jacobian; Stan's read_corr_L).
ConstrainedExpression constrain_corr_matrix(const Transform& transform, Expression free) {
  const std::int32_t size = transform.rows;
  if (size == 1) return {free.with(1.0), free.with(0.0)};
  const Expression partial = tanh(free);
  const Expression log_slopes = log_tanh_slope(free);
  EntryMatrix factor(*free.builder, size, size);
  std::vector<Expression> log_left(static_cast<std::size_t>(size), free.with(0.0));
  Expression log_jacobian = sum(log_slopes);
  std::int32_t next = 0;
  for (std::int32_t j = 0; j < size; ++j) {
    factor(j, j) = exp(0.5 * log_left[static_cast<std::size_t>(j)]);
    for (std::int32_t i = j + 1; i < size; ++i, ++next) {
      Expression& left = log_left[static_cast<std::size_t>(i)];
      factor(i, j) = partial[next] * exp(0.5 * left);
      left = left + log_slopes[next];
      log_jacobian = log_jacobian + (0.5 * (size - j - 2)) * log_slopes[next];
    }
  }
  return {times_own_transpose(factor).flat(), log_jacobian};
}

ConstrainedExpression constrain_cov_matrix(const Transform& transform, Expression free) {
  const std::int32_t size = transform.rows;
  std::vector<double> weights;
  for (std::int32_t k = 0; k < size; ++k) weights.push_back(size - k + 1.0);
  const Expression log_jacobian = size * std::numbers::ln2 + dot(constant(*free.builder, weights),
                                                                 log_diagonal(transform, free));
  return {times_own_transpose(positive_diagonal_factor(transform, free)).flat(), log_jacobian};
}

namespace {

// Returns x with tanh(x) = r, or NaN if r is outside [-1, 1].
Expression free_correlation(Expression r) {
  const Expression kept = where(bounded(r, -1.0, 1.0), r);
  return 0.5 * (log1p(kept) - log1m(kept));
}

// The free values of a lower triangular matrix, row by row, with log() on the diagonal.
Expression free_factor(const EntryMatrix& factor) {
  std::vector<Expression> entries;
  for (std::int32_t i = 0; i < factor.rows(); ++i) {
    for (std::int32_t j = 0; j <= std::min(i, factor.columns() - 1); ++j) {
      entries.push_back(i == j ? log(factor(i, j)) : factor(i, j));
    }
  }
  return pack(factor.builder(), entries);
}

}  // namespace

Expression free_cholesky_factor_corr(const Transform& transform, Expression value) {
  const EntryMatrix factor(value, transform.rows, transform.rows);
  std::vector<Expression> entries;
  for (std::int32_t i = 1; i < transform.rows; ++i) {
    Expression left = value.with(1.0);
    for (std::int32_t j = 0; j < i; ++j) {
      entries.push_back(free_correlation(factor(i, j) / sqrt(left)));
      left = left - square(factor(i, j));
    }
  }
  return pack(*value.builder, entries);
}

Expression free_cholesky_factor_cov(const Transform& transform, Expression value) {
  const EntryMatrix factor(value, transform.rows, transform.columns);
  return free_factor(required_matrix(factor, is_cholesky_factor(factor)));
}

Expression free_corr_matrix(const Transform& transform, Expression value) {
  const EntryMatrix matrix(value, transform.rows, transform.rows);
  const Expression apart = fabs(matrix.diagonal() - 1.0);
  const Expression valid = all(apart <= rule_tolerance(apart));
  const EntryMatrix factor = cholesky(required_matrix(matrix, valid));
  std::vector<Expression> entries;
  std::vector<Expression> left(static_cast<std::size_t>(transform.rows), value.with(1.0));
  for (std::int32_t j = 0; j < transform.rows; ++j) {
    for (std::int32_t i = j + 1; i < transform.rows; ++i) {
      Expression& rest = left[static_cast<std::size_t>(i)];
      entries.push_back(free_correlation(factor(i, j) / sqrt(rest)));
      rest = rest - square(factor(i, j));
    }
  }
  return pack(*value.builder, entries);
}

Expression free_cov_matrix(const Transform& transform, Expression value) {
  return free_factor(cholesky(EntryMatrix(value, transform.rows, transform.rows)));
}

}  // namespace dpvi
