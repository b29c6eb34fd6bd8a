#pragma once

#include <optional>

#include <dpvi/model/densities/arguments.hpp>

namespace dpvi {

// Writes one density over scalars: hands out its arguments with Stan's rules applied, and adds up
// its terms over the n entries of a vectorised statement.
//
// A rule costs nothing while the program runs where its argument is constant, and is checked once
// a draw where it depends on parameters alone: NaN takes the argument's place and spreads from
// there into value and gradient, so no lane compares anything.
class DensityWriter {
 public:
  DensityWriter(GraphBuilder& builder, Arguments arguments);

  std::int32_t entries() const { return entries_; }
  Expression argument(std::size_t index) const { return {builder_, arguments_[index].node}; }

  // Arguments Stan refuses unless they are what the name says (check_not_nan and so on).
  Expression not_nan(std::size_t index);
  Expression finite(std::size_t index) { return kept(dpvi::finite, index); }
  Expression positive(std::size_t index) { return kept(dpvi::positive, index); }
  Expression positive_finite(std::size_t index) { return kept(dpvi::positive_finite, index); }
  Expression nonnegative(std::size_t index);
  Expression between(std::size_t index, double lower, double upper);
  // Any other rule, on one argument.
  Expression required(Expression value, Expression rule);

  // A location, checked as required_location() says.
  Expression location(std::size_t index);

  // The number, or NaN where a rule so far is broken: for a limit that does not depend on its
  // arguments any more.
  Expression lawful(double value) const { return where(lawful_, constant(*builder_, value)); }

  // Adds the term once for every entry of the statement; a scalar term counts n times.
  void add(Expression term);
  void add(double term) { add(constant(*builder_, term)); }
  // Adds what has been summed over the entries already.
  void add_sum(Expression total) { total_ = total_ + total; }

  // Entries outside the support: there the density is zero, provided all rules hold.
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
  Expression lawful_;  // one number: all rules hold
  std::optional<Expression> outside_;
};

}  // namespace dpvi
