#include <cmath>
#include <numbers>

#include <dpvi/model/densities/arguments.hpp>
#include <dpvi/model/densities/families.hpp>
#include <dpvi/model/entry_matrix.hpp>

// Densities of vectors with a covariance matrix, one variate per call. They need the Cholesky
// factor of the matrix, the inverse of that factor and the determinant. In most models these depend
// on parameters alone and are computed once per draw. Each record then costs one matrix product.
namespace dpvi {
namespace {

// The form of the matrix argument.
enum class Spread { covariance, precision, cholesky_factor };

struct Whitened {
  Expression squared_length;  // squared length of the whitened residual
  Expression log_scale;       // half the log determinant of the covariance
};

// A Cholesky factor gets the check that Stan applies to arrays of variates. For a single normal
// variate Stan reads only the lower triangle, but it also differentiates with respect to the
// entries above the diagonal.
Whitened whiten(Expression residual, const EntryMatrix& matrix, Spread spread) {
  const std::int32_t size = matrix.rows();
  GraphBuilder& g = matrix.builder();
  const bool is_factor = spread == Spread::cholesky_factor;
  const Expression valid = is_factor ? is_cholesky_factor(matrix) : is_symmetric(matrix);
  const EntryMatrix checked = required_matrix(matrix, valid);
  const EntryMatrix factor = is_factor ? checked : cholesky(checked);
  const Expression log_diagonal = sum(log(factor.diagonal()));
  if (spread == Spread::precision) {
    // The transposed factor times the residual.
    const MatmulShape shape{size, size, 1, size, 1};
    const Expression z = residual.with(g.matmul(factor.flat().id, residual.id, shape));
    return {dot(z, z), -log_diagonal};
  }
  const NodeId inverse = inverse_of_lower(factor).flat().id;
  const Expression z = residual.with(g.solve_lower(factor.flat().id, inverse, residual.id));
  return {dot(z, z), log_diagonal};
}

// multi_normal(y | mu, matrix)
template <Spread kSpread>
NodeId multi_normal(GraphBuilder& builder, Arguments arguments) {
  const Expression location = required_location(argument(builder, arguments, 1));
  const Expression residual = argument(builder, arguments, 0) - location;
  const Whitened whitened = whiten(residual, EntryMatrix(builder, arguments[2]), kSpread);
  const double constant = -0.5 * residual.length() * std::log(2.0 * std::numbers::pi);
  return (constant - whitened.log_scale - 0.5 * whitened.squared_length).id;
}

// multi_student_t(y | nu, mu, matrix)
template <Spread kSpread>
NodeId multi_student_t(GraphBuilder& builder, Arguments arguments) {
  const Expression given_nu = argument(builder, arguments, 1);
  const Expression nu = where(positive_finite(given_nu), given_nu);
  const Expression location = required_location(argument(builder, arguments, 2));
  const Expression residual = argument(builder, arguments, 0) - location;
  const Whitened whitened = whiten(residual, EntryMatrix(builder, arguments[3]), kSpread);
  const double size = residual.length();
  const Expression half = 0.5 * (nu + size);
  const Expression normaliser = lgamma(half) - lgamma(0.5 * nu) - 0.5 * size * log(nu) -
                                0.5 * size * std::log(std::numbers::pi) - whitened.log_scale;
  return (normaliser - half * log1p(whitened.squared_length / nu)).id;
}

}  // namespace

void add_multivariate_family(FunctionRegistry& registry) {
  registry.add("multi_normal_lpdf", multi_normal<Spread::covariance>);
  registry.add("multi_normal_prec_lpdf", multi_normal<Spread::precision>);
  registry.add("multi_normal_cholesky_lpdf", multi_normal<Spread::cholesky_factor>);
  registry.add("multi_student_t_lpdf", multi_student_t<Spread::covariance>);
  registry.add("multi_student_t_cholesky_lpdf", multi_student_t<Spread::cholesky_factor>);
}

}  // namespace dpvi
