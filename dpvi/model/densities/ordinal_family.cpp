#include <dpvi/model/densities/arguments.hpp>
#include <dpvi/model/densities/families.hpp>

// Ordered categories: the probability that a latent variable with location lambda falls between two
// cut points. Each call handles one variate. Categories count from 1.
namespace dpvi {
namespace {

// Returns the cut points if they pass Stan's check_ordered and are finite at both ends, else NaN.
Expression required_cuts(Expression cuts) {
  const std::int32_t count = cuts.length();
  if (count == 0) return cuts;
  Expression valid = finite(cuts[0]) && finite(cuts[count - 1]);
  if (count > 1) {
    valid = valid && all(slice(cuts, 0, count - 1) < slice(cuts, 1, count - 1));
  }
  return where(valid, cuts);
}

// The location, the outcome, and the cut points below and above each category. The missing end
// points are `far` away.
struct Slot {
  Expression lambda;
  Expression outcome;
  Expression below;  // all cut points, preceded by -far
  Expression above;  // all cut points, followed by far
};

Slot slot_of(GraphBuilder& builder, Arguments arguments, double far) {
  const Expression lambda = required_location(argument(builder, arguments, 1));
  const Expression cuts = required_cuts(argument(builder, arguments, 2));
  const Expression below[] = {lambda.with(-far), cuts};
  const Expression above[] = {cuts, lambda.with(far)};
  return {lambda, argument(builder, arguments, 0), pack(builder, below), pack(builder, above)};
}

// log(inv_logit(a) - inv_logit(b)) = log_inv_logit(a) + log_inv_logit(-b) + log(1 - exp(b - a)),
// where a and b are the distances to the cut points. The last term does not depend on lambda.
NodeId ordered_logistic_lpmf(GraphBuilder& builder, Arguments arguments) {
  const auto [lambda, outcome, below, above] = slot_of(builder, arguments, kInfinity);
  const Expression log_width = pick(log1m_exp(below - above), outcome);
  const Expression over_lower = log_inv_logit(lambda - pick(below, outcome));
  const Expression under_upper = log_inv_logit(pick(above, outcome) - lambda);
  return (over_lower + under_upper + log_width).id;
}

// Far enough to be beyond every probability, yet near enough that the derivative there stays
// finite.
constexpr double kBeyondProbit = 1e12;

NodeId ordered_probit_lpmf(GraphBuilder& builder, Arguments arguments) {
  const auto [lambda, outcome, below, above] = slot_of(builder, arguments, kBeyondProbit);
  const Expression over = lambda - pick(below, outcome);
  const Expression under = lambda - pick(above, outcome);
  // Phi(over) - Phi(under), computed in the tail where both are small.
  const Expression flipped = under > 0.0;
  const Expression larger = log_phi(select(flipped, -under, over));
  const Expression smaller = log_phi(select(flipped, -over, under));
  return log_diff_exp(larger, smaller).id;
}

}  // namespace

void add_ordinal_family(FunctionRegistry& registry) {
  registry.add("ordered_logistic_lpmf", ordered_logistic_lpmf);
  registry.add("ordered_probit_lpmf", ordered_probit_lpmf);
}

}  // namespace dpvi
