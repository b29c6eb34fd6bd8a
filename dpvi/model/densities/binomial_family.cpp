#include <array>
#include <optional>

#include <dpvi/model/densities/density_writer.hpp>
#include <dpvi/model/densities/families.hpp>
#include <dpvi/tape/graph/fused_densities.hpp>

namespace dpvi {
namespace {

// A number of successes out of a number of trials, both integers.
struct Trials {
  Expression successes;
  Expression total;
};

// Stan rejects more successes than trials.
Trials trials_of(DensityWriter& density) {
  const Expression total = density.nonnegative(1);
  const Expression successes = density.argument(0);
  return {density.required(successes, bounded(successes, total.with(0.0), total)), total};
}

// Returns the logits if the program computes a record's probabilities as their inv_logit, else
// nullopt. On the logit scale log(1 - p) keeps its digits where p has rounded to 1 and Stan returns
// -inf. It also costs one function instead of three.
std::optional<ShapedNode> logits_of(GraphBuilder& builder, const ShapedNode& probabilities) {
  const Node& node = builder.graph()[probabilities.node];
  if (node.op != Op::inv_logit || node.space != Space::lane) return std::nullopt;
  return ShapedNode{node.arguments[0], probabilities.rows, probabilities.columns};
}

NodeId bernoulli_logit_lpmf(GraphBuilder& builder, Arguments arguments) {
  DensityWriter density(builder, arguments);
  const Expression y = density.argument(0);
  const Expression outcome = density.required(y, equal(square(y), y));
  const Expression eta = density.not_nan(1);
  density.add_sum(eta.with(bernoulli_logit_log_density_sum(builder, outcome.id, eta.id)));
  return density.result();
}

NodeId bernoulli_lpmf(GraphBuilder& builder, Arguments arguments) {
  if (const auto logits = logits_of(builder, arguments[1])) {
    return bernoulli_logit_lpmf(builder, std::array{arguments[0], *logits});
  }
  DensityWriter density(builder, arguments);
  const Expression y = density.argument(0);
  const Expression p = density.between(1, 0.0, 1.0);
  const Expression neither = y.with(kNotANumber);
  const Expression failure = select(equal(y, 0.0), log1m(p), neither);
  density.add(select(equal(y, 1.0), log(p), failure));
  return density.result();
}

// log P(Y <= y): 0 from y = 1 on and -inf below 0. At y = 0 it is log(1 - p). For p = 1 it is 0
// there, with the derivative of 1 - p, as in Stan.
NodeId bernoulli_lcdf(GraphBuilder& builder, Arguments arguments) {
  DensityWriter density(builder, arguments);
  const Expression y = density.argument(0);
  const Expression p = density.between(1, 0.0, 1.0);
  density.zero_where(y < 0.0);
  const Expression at_zero = select(equal(p, 1.0), 1.0 - p, log1m(p));
  density.add(select(y >= 1.0, density.lawful(0.0), at_zero));
  return density.result();
}

NodeId bernoulli_lccdf(GraphBuilder& builder, Arguments arguments) {
  DensityWriter density(builder, arguments);
  const Expression y = density.argument(0);
  const Expression p = density.between(1, 0.0, 1.0);
  density.zero_where(!any(y < 0.0) && any(y >= 1.0));
  density.add(select(any(y < 0.0), density.lawful(0.0), log(p)));
  return density.result();
}

NodeId binomial_logit_lpmf(GraphBuilder& builder, Arguments arguments) {
  DensityWriter density(builder, arguments);
  const auto [successes, total] = trials_of(density);
  const Expression eta = density.location(2);
  density.add(log_choose(total, successes));
  density.add(successes * log_inv_logit(eta));
  density.add((total - successes) * log1m_inv_logit(eta));
  return density.result();
}

NodeId binomial_lpmf(GraphBuilder& builder, Arguments arguments) {
  if (const auto logits = logits_of(builder, arguments[2])) {
    return binomial_logit_lpmf(builder, std::array{arguments[0], arguments[1], *logits});
  }
  DensityWriter density(builder, arguments);
  const auto [successes, total] = trials_of(density);
  const Expression p = density.between(2, 0.0, 1.0);
  density.add(log_choose(total, successes));
  // 0 log 0 counts as 0.
  const Expression nothing = density.lawful(0.0);
  const Expression failures = total - successes;
  density.add(select(equal(successes, 0.0), nothing, successes * log(p)));
  density.add(select(equal(failures, 0.0), nothing, failures * log1m(p)));
  return density.result();
}

NodeId beta_binomial_lpmf(GraphBuilder& builder, Arguments arguments) {
  DensityWriter density(builder, arguments);
  const Expression successes = density.argument(0);
  const Expression total = density.nonnegative(1);
  const Expression alpha = density.positive_finite(2);
  const Expression beta = density.positive_finite(3);
  density.zero_where((successes < 0.0) || (successes > total));
  density.add(log_choose(total, successes));
  density.add(log_beta(successes + alpha, total - successes + beta));
  density.add(-log_beta(alpha, beta));
  return density.result();
}

NodeId hypergeometric_lpmf(GraphBuilder& builder, Arguments arguments) {
  DensityWriter density(builder, arguments);
  const Expression white_drawn = density.argument(0);
  const Expression drawn = density.argument(1);
  const Expression white = density.argument(2);
  const Expression black = density.argument(3);
  const Expression zero = drawn.with(0.0);
  const Expression valid =
      bounded(white_drawn, zero, white) && bounded(drawn - white_drawn, zero, black);
  density.add(log_choose(white, density.required(white_drawn, valid)));
  density.add(log_choose(black, drawn - white_drawn));
  density.add(-log_choose(white + black, drawn));
  return density.result();
}

}  // namespace

void add_binomial_family(FunctionRegistry& registry) {
  registry.add("bernoulli_lpmf", bernoulli_lpmf);
  registry.add("bernoulli_lcdf", bernoulli_lcdf);
  registry.add("bernoulli_lccdf", bernoulli_lccdf);
  registry.add("bernoulli_logit_lpmf", bernoulli_logit_lpmf);
  registry.add("binomial_lpmf", binomial_lpmf);
  registry.add("binomial_logit_lpmf", binomial_logit_lpmf);
  registry.add("beta_binomial_lpmf", beta_binomial_lpmf);
  registry.add("hypergeometric_lpmf", hypergeometric_lpmf);
}

}  // namespace dpvi
