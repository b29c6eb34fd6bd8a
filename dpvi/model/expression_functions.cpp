#include <dpvi/model/expression_functions.hpp>

#include <vector>

namespace dpvi {

Expression pack(GraphBuilder& builder, std::span<const Expression> parts) {
  std::vector<NodeId> nodes;
  for (const Expression& part : parts) nodes.push_back(part.id);
  return {&builder, builder.pack(nodes)};
}

Expression pick(Expression x, Expression index) {
  return x.with(x.builder->gather(x.id, (index - 1.0).id, {.extent = x.length()}));
}

Expression multiply_log(Expression x, Expression y) {
  return select(equal(x, 0.0), 0.0, x * log(y));
}

Expression log_choose(Expression n, Expression k) {
  return lgamma(n + 1.0) - lgamma(k + 1.0) - lgamma(n - k + 1.0);
}

Expression log_beta(Expression a, Expression b) { return lgamma(a) + lgamma(b) - lgamma(a + b); }

Expression log_complement(Expression log_p) {
  return select(equal(log_p, -kInfinity), 0.0, log1m_exp(log_p));
}

Expression log_diff_exp(Expression a, Expression b) {
  return select(equal(a, b), -kInfinity, a + log1m_exp(b - a));
}

Expression cumulative_sum(Expression x) {
  std::vector<Expression> sums;
  for (std::int32_t i = 0; i < x.length(); ++i) {
    sums.push_back(i == 0 ? x[0] : sums.back() + x[i]);
  }
  return pack(*x.builder, sums);
}

}  // namespace dpvi
