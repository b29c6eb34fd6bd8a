#pragma once

#include <concepts>

#include <dpvi/tape/graph/graph_builder.hpp>

namespace dpvi {

// A node together with its builder, so that formulas can be written with operators. Copies are
// cheap and refer to the same node. The builder must outlive them.
struct Expression {
  GraphBuilder* builder = nullptr;
  NodeId id;

  std::int32_t length() const { return builder->length(id); }
  Space space() const { return builder->space(id); }
  Expression operator[](std::int32_t index) const { return {builder, builder->element(id, index)}; }
  // Another node or number with the same builder.
  Expression with(NodeId other) const { return {builder, other}; }
  Expression with(double value) const { return {builder, builder->constant(value)}; }
};

inline Expression apply(Op op, Expression x) { return x.with(x.builder->unary(op, x.id)); }
inline Expression apply(Op op, Expression a, Expression b) {
  return a.with(a.builder->binary(op, a.id, b.id));
}
inline Expression apply(Op op, Expression a, double b) { return apply(op, a, a.with(b)); }
inline Expression apply(Op op, double a, Expression b) { return apply(op, b.with(a), b); }

inline Expression operator-(Expression x) { return apply(Op::neg, x); }
inline Expression operator!(Expression x) { return apply(Op::logical_not, x); }

// The operators below accept two expressions, or an expression and a number.
template <class A, class B>
concept ExpressionPair = (std::same_as<A, Expression> && std::convertible_to<B, double>) ||
                         (std::convertible_to<A, double> && std::same_as<B, Expression>) ||
                         (std::same_as<A, Expression> && std::same_as<B, Expression>);

template <class A, class B>
  requires ExpressionPair<A, B>
Expression operator+(A a, B b) {
  return apply(Op::add, a, b);
}
template <class A, class B>
  requires ExpressionPair<A, B>
Expression operator-(A a, B b) {
  return apply(Op::sub, a, b);
}
template <class A, class B>
  requires ExpressionPair<A, B>
Expression operator*(A a, B b) {
  return apply(Op::mul, a, b);
}
template <class A, class B>
  requires ExpressionPair<A, B>
Expression operator/(A a, B b) {
  return apply(Op::div, a, b);
}
// Comparisons return 1 or 0 for each entry.
template <class A, class B>
  requires ExpressionPair<A, B>
Expression operator<(A a, B b) {
  return apply(Op::lt, a, b);
}
template <class A, class B>
  requires ExpressionPair<A, B>
Expression operator<=(A a, B b) {
  return apply(Op::le, a, b);
}
template <class A, class B>
  requires ExpressionPair<A, B>
Expression operator>(A a, B b) {
  return apply(Op::lt, b, a);
}
template <class A, class B>
  requires ExpressionPair<A, B>
Expression operator>=(A a, B b) {
  return apply(Op::le, b, a);
}

inline Expression exp(Expression x) { return apply(Op::exp, x); }
inline Expression log(Expression x) { return apply(Op::log, x); }
inline Expression log1p(Expression x) { return apply(Op::log1p, x); }
inline Expression sqrt(Expression x) { return apply(Op::sqrt, x); }
inline Expression square(Expression x) { return apply(Op::square, x); }
inline Expression lgamma(Expression x) { return apply(Op::lgamma, x); }
inline Expression sum(Expression x) { return x.with(x.builder->sum(x.id)); }
inline Expression log_sum_exp(Expression x) { return x.with(x.builder->log_sum_exp(x.id)); }
inline Expression dot(Expression a, Expression b) { return a.with(a.builder->dot(a.id, b.id)); }
inline Expression select(Expression mask, Expression if_true, Expression if_false) {
  return mask.with(mask.builder->select(mask.id, if_true.id, if_false.id));
}

}  // namespace dpvi
