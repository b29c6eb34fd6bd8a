#pragma once

#include <string>

#include <dpvi/model/densities/arguments.hpp>
#include <dpvi/model/densities/families.hpp>

// Building blocks of distribution functions.
namespace dpvi {

// log P(a, x) for the lower tail, or log Q(a, x) for the upper tail.
template <Tail kSide>
Expression log_gamma_tail(Expression a, Expression x) {
  return apply(kSide == Tail::lower ? Op::log_gamma_p : Op::log_gamma_q, a, x);
}

// log I_x(a, b) for the lower tail, or the log of its complement I_y(b, a) for the upper tail. y is
// 1 - x.
template <Tail kSide>
Expression log_beta_tail(Expression a, Expression b, Expression x, Expression y) {
  GraphBuilder& g = *a.builder;
  return a.with(kSide == Tail::lower ? g.several(Op::log_inc_beta, {a.id, b.id, x.id})
                                     : g.several(Op::log_inc_beta, {b.id, a.id, y.id}));
}

constexpr Tail opposite(Tail tail) { return tail == Tail::lower ? Tail::upper : Tail::lower; }

using TailFunction = NodeId (*)(GraphBuilder&, Arguments);

inline void add_both(FunctionRegistry& registry, const std::string& name, TailFunction lower,
                     TailFunction upper) {
  registry.add(name + "_lcdf", lower);
  registry.add(name + "_lccdf", upper);
}

}  // namespace dpvi
