#pragma once

#include <optional>

#include <dpvi/model/densities/arguments.hpp>

namespace dpvi {

// Writes one density over scalars. It hands out the arguments with Stan's rules applied, and sums
// the terms over the n entries of a vectorised statement.
//
// A rule on a constant argument costs nothing at run time. A rule on an argument that depends on
// parameters alone is checked once per draw. NaN then replaces the argument and propagates into
// value and gradient, so no lane compares anything.
class DensityWriter {
 public:
  DensityWriter(GraphBuilder& builder, Arguments arguments);

  std::int32_t entries() const { return entries_; }
  Expression argument(std::size_t index) const { return {builder_, arguments_[index].node}; }

  // Arguments with Stan's check of the same name (check_not_nan and so on).
  Expression not_nan(std::size_t index);
  Expression finite(std::size_t index) { return kept(dpvi::finite, index); }
  Expression positive(std::size_t index) { return kept(dpvi::positive, index); }
  Expression positive_finite(std::size_t index) { return kept(dpvi::positive_finite, index); }
  Expression nonnegative(std::size_t index);
  Expression between(std::size_t index, double lower, double upper);
  // Applies any other rule to one argument.
  Expression required(Expression value, Expression rule);

  // A location, checked as described at required_location().
  Expression location(std::size_t index);

  // Returns the number, or NaN if any rule so far is broken. Meant for limits that no longer depend
  // on the arguments.
  Expression lawful(double value) const { return where(lawful_, constant(*builder_, value)); }

  // Adds the term once for every entry of the statement. A scalar term counts n times.
  void add(Expression term);
  void add(double term) { add(constant(*builder_, term)); }
  // Adds a term that is already summed over the entries.
  void add_sum(Expression total) { total_ = total_ + total; }

  // Marks entries outside the support. If any entry is marked and all rules hold, the density is
  // zero.
  void zero_where(Expression mask);

  NodeId result() const;

 private:
  template <class Rule>
  Expression kept(Rule rule, std::size_t index) {
    const Expression value = argument(index);
    return required(value, rule(value));
  }

  GraphBuilder* builder_;
  Arguments arguments_;
  std::int32_t entries_ = 1;
  Expression total_;
  Expression lawful_;  // scalar mask: all rules hold
  std::optional<Expression> outside_;
};

}  // namespace dpvi
