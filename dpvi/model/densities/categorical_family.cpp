#include <dpvi/model/densities/arguments.hpp>
#include <dpvi/model/densities/families.hpp>

// Categorical outcomes, counts of categories, and distributions of their probabilities. Categories
// count from 1. Each call handles one variate.
namespace dpvi {
namespace {

// Stan's check_simplex.
Expression is_simplex(Expression probabilities) {
  const Expression sums_to_one = fabs(sum(probabilities) - 1.0) <= rule_tolerance(probabilities);
  return sums_to_one && all(nonnegative(probabilities));
}

Expression required_simplex(Expression probabilities) {
  return where(is_simplex(probabilities), probabilities);
}

// The logarithm of the sum of the odds, or NaN if a logit is not finite.
Expression log_total(Expression logits) { return where(all(finite(logits)), log_sum_exp(logits)); }

NodeId categorical_lpmf(GraphBuilder& builder, Arguments arguments) {
  const Expression outcome = argument(builder, arguments, 0);
  const Expression probabilities = required_simplex(argument(builder, arguments, 1));
  // Takes one logarithm per record, or all of them once per draw.
  if (depends_on_record(probabilities.space())) return log(pick(probabilities, outcome)).id;
  return pick(log(probabilities), outcome).id;
}

NodeId categorical_logit_lpmf(GraphBuilder& builder, Arguments arguments) {
  const Expression outcome = argument(builder, arguments, 0);
  const Expression logits = argument(builder, arguments, 1);
  return (pick(logits, outcome) - log_total(logits)).id;
}

// Log of the multinomial coefficient: the number of orders in which the counts can occur.
Expression log_multinomial_coefficient(Expression counts) {
  return lgamma(sum(counts) + 1.0) - sum(lgamma(counts + 1.0));
}

Expression required_counts(Expression counts) { return where(nonnegative(counts), counts); }

NodeId multinomial_lpmf(GraphBuilder& builder, Arguments arguments) {
  const Expression counts = required_counts(argument(builder, arguments, 0));
  const Expression probabilities = argument(builder, arguments, 1);
  const Expression total =
      log_multinomial_coefficient(counts) + sum(multiply_log(counts, probabilities));
  return where(is_simplex(probabilities), total).id;
}

NodeId multinomial_logit_lpmf(GraphBuilder& builder, Arguments arguments) {
  const Expression counts = required_counts(argument(builder, arguments, 0));
  const Expression logits = argument(builder, arguments, 1);
  return (log_multinomial_coefficient(counts) + dot(counts, logits) -
          sum(counts) * log_total(logits))
      .id;
}

NodeId dirichlet_multinomial_lpmf(GraphBuilder& builder, Arguments arguments) {
  const Expression counts = required_counts(argument(builder, arguments, 0));
  const Expression given = argument(builder, arguments, 1);
  const Expression alpha = where(positive_finite(given), given);
  const Expression total = sum(alpha);
  return (log_multinomial_coefficient(counts) + lgamma(total) - lgamma(total + sum(counts)) +
          sum(lgamma(alpha + counts)) - sum(lgamma(alpha)))
      .id;
}

NodeId dirichlet_lpdf(GraphBuilder& builder, Arguments arguments) {
  const Expression probabilities = required_simplex(argument(builder, arguments, 0));
  const Expression given = argument(builder, arguments, 1);
  const Expression alpha = where(positive(given), given);
  return (lgamma(sum(alpha)) - sum(lgamma(alpha)) + dot(alpha - 1.0, log(probabilities))).id;
}

}  // namespace

void add_categorical_family(FunctionRegistry& registry) {
  registry.add("categorical_lpmf", categorical_lpmf);
  registry.add("categorical_logit_lpmf", categorical_logit_lpmf);
  registry.add("multinomial_lpmf", multinomial_lpmf);
  registry.add("multinomial_logit_lpmf", multinomial_logit_lpmf);
  registry.add("dirichlet_multinomial_lpmf", dirichlet_multinomial_lpmf);
  registry.add("dirichlet_lpdf", dirichlet_lpdf);
}

}  // namespace dpvi
