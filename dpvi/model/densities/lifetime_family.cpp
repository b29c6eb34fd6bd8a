#include <dpvi/model/densities/density_writer.hpp>
#include <dpvi/model/densities/families.hpp>

// Distributions of durations and extremes, built from powers of y / sigma. A power is written as
// exp(alpha (log y - log sigma)), which shares log y with the density's other term.
namespace dpvi {
namespace {

Expression power_of_ratio(Expression y, Expression sigma, Expression alpha) {
  return exp(alpha * (log(y) - log(sigma)));
}

NodeId weibull_lpdf(GraphBuilder& builder, Arguments arguments) {
  DensityWriter density(builder, arguments);
  const Expression y = density.finite(0);
  const Expression alpha = density.positive_finite(1);
  const Expression sigma = density.positive_finite(2);
  density.zero_where(y < 0.0);
  density.add(log(alpha) - alpha * log(sigma));
  density.add((alpha - 1.0) * log(y));
  density.add(-power_of_ratio(y, sigma, alpha));
  return density.result();
}

template <Tail kTail>
NodeId weibull_tail(GraphBuilder& builder, Arguments arguments) {
  DensityWriter density(builder, arguments);
  const Expression y = density.nonnegative(0);
  const Expression alpha = density.positive_finite(1);
  const Expression sigma = density.positive_finite(2);
  const Expression log_upper =
      select(equal(y, 0.0), density.lawful(0.0), -power_of_ratio(y, sigma, alpha));
  density.add(kTail == Tail::lower ? log_complement(log_upper) : log_upper);
  return density.result();
}

NodeId frechet_lpdf(GraphBuilder& builder, Arguments arguments) {
  DensityWriter density(builder, arguments);
  const Expression y = density.positive(0);
  const Expression alpha = density.positive_finite(1);
  const Expression sigma = density.positive_finite(2);
  density.add(log(alpha) + alpha * log(sigma));
  density.add(-((alpha + 1.0) * log(y)));
  density.add(-power_of_ratio(y, sigma, -alpha));
  return density.result();
}

template <Tail kTail>
NodeId frechet_tail(GraphBuilder& builder, Arguments arguments) {
  DensityWriter density(builder, arguments);
  const Expression y = density.positive(0);
  const Expression alpha = density.positive_finite(1);
  const Expression sigma = density.positive_finite(2);
  const Expression log_lower = -power_of_ratio(y, sigma, -alpha);
  density.add(kTail == Tail::lower ? log_lower : log_complement(log_lower));
  return density.result();
}

// As in Stan, the scale comes before the shape.
NodeId loglogistic_lpdf(GraphBuilder& builder, Arguments arguments) {
  DensityWriter density(builder, arguments);
  const Expression y = density.positive_finite(0);
  const Expression alpha = density.positive_finite(1);
  const Expression beta = density.positive_finite(2);
  const Expression log_power = beta * (log(y) - log(alpha));
  density.add(log(beta));
  density.add(-log(y));
  density.add(log_power - 2.0 * log1p_exp(log_power));
  return density.result();
}

template <Tail kTail>
NodeId loglogistic_tail(GraphBuilder& builder, Arguments arguments) {
  DensityWriter density(builder, arguments);
  const Expression y = density.nonnegative(0);
  const Expression alpha = density.positive_finite(1);
  const Expression beta = density.positive_finite(2);
  const Expression log_power = beta * (log(y) - log(alpha));
  density.add(-log1p_exp(kTail == Tail::lower ? -log_power : log_power));
  return density.result();
}

NodeId rayleigh_lpdf(GraphBuilder& builder, Arguments arguments) {
  DensityWriter density(builder, arguments);
  const Expression y = density.positive(0);
  const Expression sigma = density.positive(1);
  density.add(-2.0 * log(sigma));
  density.add(log(y));
  density.add(-0.5 * square(y / sigma));
  return density.result();
}

template <Tail kTail>
NodeId rayleigh_tail(GraphBuilder& builder, Arguments arguments) {
  DensityWriter density(builder, arguments);
  const Expression y = density.nonnegative(0);
  const Expression sigma = density.positive(1);
  const Expression log_upper = -0.5 * square(y / sigma);
  density.add(kTail == Tail::lower ? log_complement(log_upper) : log_upper);
  return density.result();
}

NodeId pareto_lpdf(GraphBuilder& builder, Arguments arguments) {
  DensityWriter density(builder, arguments);
  const Expression y = density.not_nan(0);
  const Expression smallest = density.positive_finite(1);
  const Expression alpha = density.positive_finite(2);
  density.zero_where(y < smallest);
  density.add(log(alpha) + alpha * log(smallest));
  density.add(-((alpha + 1.0) * log(y)));
  return density.result();
}

template <Tail kTail>
NodeId pareto_tail(GraphBuilder& builder, Arguments arguments) {
  DensityWriter density(builder, arguments);
  const Expression y = density.nonnegative(0);
  const Expression smallest = density.positive_finite(1);
  const Expression alpha = density.positive_finite(2);
  const Expression log_upper =
      select(y < smallest, density.lawful(0.0), alpha * (log(smallest) - log(y)));
  density.add(kTail == Tail::lower ? log_complement(log_upper) : log_upper);
  return density.result();
}

Expression log1p_of_excess(DensityWriter& density, Expression y, Expression lambda) {
  const Expression mu = density.argument(1);
  return log1p(density.required(y - mu, y >= mu) / lambda);
}

NodeId pareto_type_2_lpdf(GraphBuilder& builder, Arguments arguments) {
  DensityWriter density(builder, arguments);
  const Expression lambda = density.positive_finite(2);
  const Expression alpha = density.positive_finite(3);
  density.add(log(alpha) - log(lambda));
  density.add(-((alpha + 1.0) * log1p_of_excess(density, density.argument(0), lambda)));
  return density.result();
}

template <Tail kTail>
NodeId pareto_type_2_tail(GraphBuilder& builder, Arguments arguments) {
  DensityWriter density(builder, arguments);
  const Expression y = density.nonnegative(0);
  const Expression lambda = density.positive_finite(2);
  const Expression alpha = density.positive_finite(3);
  const Expression log_upper = -(alpha * log1p_of_excess(density, y, lambda));
  density.add(kTail == Tail::lower ? log_complement(log_upper) : log_upper);
  return density.result();
}

}  // namespace

void add_lifetime_family(FunctionRegistry& registry) {
  registry.add("weibull_lpdf", weibull_lpdf);
  registry.add("weibull_lcdf", weibull_tail<Tail::lower>);
  registry.add("weibull_lccdf", weibull_tail<Tail::upper>);
  registry.add("frechet_lpdf", frechet_lpdf);
  registry.add("frechet_lcdf", frechet_tail<Tail::lower>);
  registry.add("frechet_lccdf", frechet_tail<Tail::upper>);
  registry.add("loglogistic_lpdf", loglogistic_lpdf);
  registry.add("loglogistic_lcdf", loglogistic_tail<Tail::lower>);
  registry.add("loglogistic_lccdf", loglogistic_tail<Tail::upper>);
  registry.add("rayleigh_lpdf", rayleigh_lpdf);
  registry.add("rayleigh_lcdf", rayleigh_tail<Tail::lower>);
  registry.add("rayleigh_lccdf", rayleigh_tail<Tail::upper>);
  registry.add("pareto_lpdf", pareto_lpdf);
  registry.add("pareto_lcdf", pareto_tail<Tail::lower>);
  registry.add("pareto_lccdf", pareto_tail<Tail::upper>);
  registry.add("pareto_type_2_lpdf", pareto_type_2_lpdf);
  registry.add("pareto_type_2_lcdf", pareto_type_2_tail<Tail::lower>);
  registry.add("pareto_type_2_lccdf", pareto_type_2_tail<Tail::upper>);
}

}  // namespace dpvi
