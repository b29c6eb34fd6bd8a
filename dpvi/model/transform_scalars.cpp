#include <dpvi/model/transform_parts.hpp>

// Transforms that act entry by entry, and those of ordered vectors.
namespace dpvi {
namespace {

Expression given_or(const Expression& free, const std::optional<NodeId>& node, double otherwise) {
  return node ? free.with(*node) : free.with(otherwise);
}

}  // namespace

// Stan's lb_constrain, ub_constrain and lub_constrain. In each entry an infinite bound means no
// bound. Bounds in the wrong order give NaN.
ConstrainedExpression constrain_bounded(const Transform& transform, Expression free) {
  const Expression lower = given_or(free, transform.lower, -kInfinity);
  const Expression upper = given_or(free, transform.upper, kInfinity);
  const Expression no_lower = equal(lower, -kInfinity);
  const Expression no_upper = equal(upper, kInfinity);

  const Expression width = where(lower < upper, upper - lower);
  const Expression between = width * inv_logit(free) + lower;
  // log(inv_logit(x) (1 - inv_logit(x))), in a form that does not overflow in either tail.
  const Expression log_slope = log_inv_logit(free) + log1m_inv_logit(free);

  const Expression below = select(no_lower, free, exp(free) + lower);
  const Expression above = upper - exp(free);
  const Expression value = select(no_upper, below, select(no_lower, above, between));
  const Expression one_sided = select(no_lower && no_upper, 0.0, free);
  const Expression log_slopes = select(no_lower || no_upper, one_sided, log(width) + log_slope);
  return {value, sum(log_slopes)};
}

ConstrainedExpression constrain_affine(const Transform& transform, Expression free) {
  const Expression given_offset = given_or(free, transform.offset, 0.0);
  const Expression given_multiplier = given_or(free, transform.multiplier, 1.0);
  const Expression offset = where(finite(given_offset), given_offset);
  const Expression multiplier = where(positive_finite(given_multiplier), given_multiplier);
  const Expression slopes =
      multiplier.length() == 1 ? repeat(multiplier, free.length()) : multiplier;
  return {multiplier * free + offset, sum(log(slopes))};
}

ConstrainedExpression constrain_ordered(Expression free) {
  const std::int32_t steps = free.length() - 1;
  if (steps == 0) return {free, free.with(0.0)};
  const Expression rises = slice(free, 1, steps);
  const Expression parts[] = {free[0], exp(rises)};
  return {cumulative_sum(pack(*free.builder, parts)), sum(rises)};
}

ConstrainedExpression constrain_positive_ordered(Expression free) {
  return {cumulative_sum(exp(free)), sum(free)};
}

Expression free_ordered(Expression value) {
  const std::int32_t steps = value.length() - 1;
  if (steps == 0) return value;
  const Expression rises = slice(value, 1, steps) - slice(value, 0, steps);
  const Expression parts[] = {value[0], log(where(positive(rises), rises))};
  return pack(*value.builder, parts);
}

Expression free_positive_ordered(Expression value) {
  const Expression parts[] = {log(where(positive(value[0]), value[0])), free_ordered(value)};
  const Expression both = pack(*value.builder, parts);
  const std::int32_t steps = value.length() - 1;
  if (steps == 0) return both[0];
  const Expression kept[] = {both[0], slice(both, 2, steps)};
  return pack(*value.builder, kept);
}

}  // namespace dpvi
