#include <cmath>
#include <numbers>

#include <dpvi/model/densities/arguments.hpp>
#include <dpvi/model/densities/families.hpp>
#include <dpvi/model/entry_matrix.hpp>

// Distributions of correlation and covariance matrices.
namespace dpvi {
namespace {

const double kLogPi = std::log(std::numbers::pi);

// The Cholesky factor of a matrix. It contains NaN unless the matrix is symmetric and positive
// definite, as Stan requires.
EntryMatrix required_factor(const EntryMatrix& matrix) {
  return cholesky(required_matrix(matrix, is_symmetric(matrix)));
}

Expression log_determinant(const EntryMatrix& factor) { return 2.0 * sum(log(factor.diagonal())); }

// Log of the normalising constant (Lewandowski, Kurowicka and Joe 2009, theorem 5).
Expression log_lkj_constant(Expression eta, std::int32_t size) {
  Expression total = (size - 1.0) * lgamma(eta + 0.5 * (size - 1.0));
  for (std::int32_t k = 1; k < size; ++k) {
    total = total - (0.5 * k * kLogPi + lgamma(eta + 0.5 * (size - 1.0 - k)));
  }
  return total;
}

NodeId lkj_corr_lpdf(GraphBuilder& builder, Arguments arguments) {
  const EntryMatrix given(builder, arguments[0]);
  const Expression given_eta = argument(builder, arguments, 1);
  const Expression eta = where(positive(given_eta), given_eta);
  const Expression diagonal = given.diagonal();
  const Expression unit_diagonal = all(fabs(diagonal - 1.0) <= rule_tolerance(diagonal));
  const EntryMatrix factor = required_factor(required_matrix(given, unit_diagonal));
  return (log_lkj_constant(eta, given.rows()) + (eta - 1.0) * log_determinant(factor)).id;
}

NodeId lkj_corr_cholesky_lpdf(GraphBuilder& builder, Arguments arguments) {
  const EntryMatrix factor(builder, arguments[0]);
  const Expression given_eta = argument(builder, arguments, 1);
  const Expression eta = where(positive(given_eta), given_eta);
  const std::int32_t size = factor.rows();
  const Expression diagonal = where(is_cholesky_factor(factor), factor.diagonal());
  Expression total = log_lkj_constant(eta, size);
  for (std::int32_t k = 1; k < size; ++k) {
    total = total + (2.0 * eta + (size - k - 3.0)) * log(diagonal[k]);
  }
  return total.id;
}

// Log of the multivariate gamma function.
Expression log_multivariate_gamma(std::int32_t size, Expression x) {
  Expression total = x.with(0.25 * size * (size - 1) * kLogPi);
  for (std::int32_t i = 0; i < size; ++i) total = total + lgamma(x - 0.5 * i);
  return total;
}

// trace((L L')^-1 (R R')) for the lower triangular L = left and R = right. It equals the sum of the
// squared entries of L^-1 R.
Expression trace_of_quotient(const EntryMatrix& left, const EntryMatrix& right) {
  const EntryMatrix inverse = inverse_of_lower(left);
  Expression total = constant(left.builder(), 0.0);
  for (std::int32_t i = 0; i < left.rows(); ++i) {
    for (std::int32_t j = 0; j <= i; ++j) {
      const std::int32_t count = i - j + 1;
      total = total + square(dot(inverse.row_part(i, j, count), right.column_part(j, j, count)));
    }
  }
  return total;
}

struct WishartParts {
  EntryMatrix variate;  // Cholesky factor
  EntryMatrix scale;    // Cholesky factor
  Expression nu;
  double size;
};

WishartParts wishart_parts(GraphBuilder& builder, Arguments arguments) {
  const std::int32_t size = arguments[0].rows;
  const Expression nu = argument(builder, arguments, 1);
  return {required_factor(EntryMatrix(builder, arguments[0])),
          required_factor(EntryMatrix(builder, arguments[2])), where(nu > size - 1.0, nu),
          static_cast<double>(size)};
}

// The terms that the Wishart and the inverse Wishart density share.
Expression wishart_constant(const WishartParts& parts) {
  const auto size = static_cast<std::int32_t>(parts.size);
  return -(0.5 * std::numbers::ln2 * parts.size) * parts.nu -
         log_multivariate_gamma(size, 0.5 * parts.nu);
}

NodeId wishart_lpdf(GraphBuilder& builder, Arguments arguments) {
  const WishartParts parts = wishart_parts(builder, arguments);
  const Expression power = 0.5 * (parts.nu - (parts.size + 1.0));
  return (wishart_constant(parts) - 0.5 * parts.nu * log_determinant(parts.scale) +
          power * log_determinant(parts.variate) -
          0.5 * trace_of_quotient(parts.scale, parts.variate))
      .id;
}

NodeId inv_wishart_lpdf(GraphBuilder& builder, Arguments arguments) {
  const WishartParts parts = wishart_parts(builder, arguments);
  const Expression power = 0.5 * (parts.nu + (parts.size + 1.0));
  return (wishart_constant(parts) + 0.5 * parts.nu * log_determinant(parts.scale) -
          power * log_determinant(parts.variate) -
          0.5 * trace_of_quotient(parts.variate, parts.scale))
      .id;
}

// The same parts from arguments that are Cholesky factors. In the densities below, the powers of
// the diagonal include the Jacobian of the product L L'.
WishartParts wishart_factors(GraphBuilder& builder, Arguments arguments) {
  const std::int32_t size = arguments[0].rows;
  const Expression nu = argument(builder, arguments, 1);
  const auto factor = [&](std::size_t index) {
    const EntryMatrix given(builder, arguments[index]);
    return required_matrix(given, is_cholesky_factor(given));
  };
  return {factor(0), factor(2), where(nu > size - 1.0, nu), static_cast<double>(size)};
}

NodeId wishart_cholesky_lpdf(GraphBuilder& builder, Arguments arguments) {
  const WishartParts parts = wishart_factors(builder, arguments);
  const Expression diagonal = log(parts.variate.diagonal());
  Expression total = wishart_constant(parts) + std::numbers::ln2 * parts.size -
                     0.5 * parts.nu * log_determinant(parts.scale) -
                     0.5 * trace_of_quotient(parts.scale, parts.variate);
  for (std::int32_t i = 0; i < parts.variate.rows(); ++i) {
    total = total + (parts.nu - (1.0 + i)) * diagonal[i];
  }
  return total.id;
}

NodeId inv_wishart_cholesky_lpdf(GraphBuilder& builder, Arguments arguments) {
  const WishartParts parts = wishart_factors(builder, arguments);
  const Expression diagonal = log(parts.variate.diagonal());
  Expression total = wishart_constant(parts) + std::numbers::ln2 * parts.size +
                     0.5 * parts.nu * log_determinant(parts.scale) -
                     0.5 * trace_of_quotient(parts.variate, parts.scale);
  for (std::int32_t i = 0; i < parts.variate.rows(); ++i) {
    total = total - (parts.nu + (1.0 + i)) * diagonal[i];
  }
  return total.id;
}

}  // namespace

void add_matrix_family(FunctionRegistry& registry) {
  registry.add("lkj_corr_lpdf", lkj_corr_lpdf);
  registry.add("lkj_corr_cholesky_lpdf", lkj_corr_cholesky_lpdf);
  registry.add("wishart_lpdf", wishart_lpdf);
  registry.add("inv_wishart_lpdf", inv_wishart_lpdf);
  registry.add("wishart_cholesky_lpdf", wishart_cholesky_lpdf);
  registry.add("inv_wishart_cholesky_lpdf", inv_wishart_cholesky_lpdf);
}

}  // namespace dpvi
