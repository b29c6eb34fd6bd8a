#include <cmath>
#include <numbers>

#include <dpvi/model/densities/density_writer.hpp>
#include <dpvi/model/densities/families.hpp>

// The gamma distribution and related distributions on the positive numbers.
namespace dpvi {
namespace {

NodeId exponential_lpdf(GraphBuilder& builder, Arguments arguments) {
  DensityWriter density(builder, arguments);
  const Expression y = density.nonnegative(0);
  const Expression beta = density.positive_finite(1);
  density.add(log(beta));
  density.add(-(beta * y));
  return density.result();
}

template <Tail kTail>
NodeId exponential_tail(GraphBuilder& builder, Arguments arguments) {
  DensityWriter density(builder, arguments);
  const Expression y = density.nonnegative(0);
  const Expression beta = density.positive_finite(1);
  const Expression log_upper = -(beta * y);
  density.add(kTail == Tail::lower ? log_complement(log_upper) : log_upper);
  return density.result();
}

NodeId gamma_lpdf(GraphBuilder& builder, Arguments arguments) {
  DensityWriter density(builder, arguments);
  const Expression y = density.positive_finite(0);
  const Expression alpha = density.positive_finite(1);
  const Expression beta = density.positive_finite(2);
  density.add(alpha * log(beta) - lgamma(alpha));
  density.add((alpha - 1.0) * log(y));
  density.add(-(beta * y));
  return density.result();
}

NodeId inv_gamma_lpdf(GraphBuilder& builder, Arguments arguments) {
  DensityWriter density(builder, arguments);
  const Expression y = density.not_nan(0);
  const Expression alpha = density.positive_finite(1);
  const Expression beta = density.positive_finite(2);
  density.zero_where(y <= 0.0);
  density.add(alpha * log(beta) - lgamma(alpha));
  density.add(-((alpha + 1.0) * log(y)));
  density.add(-(beta * inv(y)));
  return density.result();
}

NodeId chi_square_lpdf(GraphBuilder& builder, Arguments arguments) {
  DensityWriter density(builder, arguments);
  const Expression y = density.nonnegative(0);
  const Expression half_nu = 0.5 * density.positive_finite(1);
  density.add(-(half_nu * std::numbers::ln2) - lgamma(half_nu));
  density.add((half_nu - 1.0) * log(y));
  density.add(-0.5 * y);
  return density.result();
}

NodeId inv_chi_square_lpdf(GraphBuilder& builder, Arguments arguments) {
  DensityWriter density(builder, arguments);
  const Expression y = density.not_nan(0);
  const Expression half_nu = 0.5 * density.positive_finite(1);
  density.zero_where(y <= 0.0);
  density.add(-(half_nu * std::numbers::ln2) - lgamma(half_nu));
  density.add(-((half_nu + 1.0) * log(y)));
  density.add(-0.5 * inv(y));
  return density.result();
}

NodeId scaled_inv_chi_square_lpdf(GraphBuilder& builder, Arguments arguments) {
  DensityWriter density(builder, arguments);
  const Expression y = density.not_nan(0);
  const Expression half_nu = 0.5 * density.positive_finite(1);
  const Expression scale = density.positive_finite(2);
  density.zero_where(y <= 0.0);
  density.add(half_nu * log(half_nu) - lgamma(half_nu));
  density.add(2.0 * half_nu * log(scale));
  density.add(-((half_nu + 1.0) * log(y)));
  density.add(-(half_nu * square(scale) * inv(y)));
  return density.result();
}

}  // namespace

void add_positive_family(FunctionRegistry& registry) {
  registry.add("exponential_lpdf", exponential_lpdf);
  registry.add("exponential_lcdf", exponential_tail<Tail::lower>);
  registry.add("exponential_lccdf", exponential_tail<Tail::upper>);
  registry.add("gamma_lpdf", gamma_lpdf);
  registry.add("inv_gamma_lpdf", inv_gamma_lpdf);
  registry.add("chi_square_lpdf", chi_square_lpdf);
  registry.add("inv_chi_square_lpdf", inv_chi_square_lpdf);
  registry.add("scaled_inv_chi_square_lpdf", scaled_inv_chi_square_lpdf);
}

}  // namespace dpvi
