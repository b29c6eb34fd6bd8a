#pragma once

#include <dpvi/model/expression_functions.hpp>
#include <dpvi/model/transform.hpp>

namespace dpvi {

// The constraining transforms by family. constrain() dispatches to them.

struct ConstrainedExpression {
  Expression value;
  Expression log_jacobian;
};

ConstrainedExpression constrain_bounded(const Transform& transform, Expression free);
ConstrainedExpression constrain_affine(const Transform& transform, Expression free);
ConstrainedExpression constrain_ordered(Expression free);
ConstrainedExpression constrain_positive_ordered(Expression free);

ConstrainedExpression constrain_simplex(Expression free);
ConstrainedExpression constrain_column_stochastic(const Transform& transform, Expression free);
ConstrainedExpression constrain_row_stochastic(const Transform& transform, Expression free);
ConstrainedExpression constrain_unit_vector(Expression free);
ConstrainedExpression constrain_sum_to_zero_vector(Expression free);
ConstrainedExpression constrain_sum_to_zero_matrix(const Transform& transform, Expression free);

ConstrainedExpression constrain_cholesky_factor_corr(const Transform& transform, Expression free);
ConstrainedExpression constrain_cholesky_factor_cov(const Transform& transform, Expression free);
ConstrainedExpression constrain_corr_matrix(const Transform& transform, Expression free);
ConstrainedExpression constrain_cov_matrix(const Transform& transform, Expression free);

// The inverse transforms. The result is NaN if the value violates its type's rule by more than
// rule_tolerance().
Expression free_ordered(Expression value);
Expression free_positive_ordered(Expression value);
Expression free_simplex(Expression value);
Expression free_column_stochastic(const Transform& transform, Expression value);
Expression free_row_stochastic(const Transform& transform, Expression value);
Expression free_unit_vector(Expression value);
Expression free_sum_to_zero_vector(Expression value);
Expression free_sum_to_zero_matrix(const Transform& transform, Expression value);
Expression free_cholesky_factor_corr(const Transform& transform, Expression value);
Expression free_cholesky_factor_cov(const Transform& transform, Expression value);
Expression free_corr_matrix(const Transform& transform, Expression value);
Expression free_cov_matrix(const Transform& transform, Expression value);

}  // namespace dpvi
