#pragma once

#include <span>
#include <vector>

namespace dpvi {

// Lengthens the steps of parameters that turn out to have far to go.
//
// Step sizes suppose that an answer is about 1 away from the start. A parameter that has already
// been further away than that shows that its own is not: its steps become longer in proportion to
// the longest way it has been from its start. Those that only wander in noise stay near 1 and keep
// their steps, so that they wander no further. (The same idea for a whole vector: Ivgi, Hinder &
// Carmon 2023.)
//
// Guarantee: what it does is a function of iterates alone, which follow from releases.
class TravelledSteps {
 public:
  // Of the first parameters; what comes behind them keeps its steps.
  explicit TravelledSteps(std::span<const double> start);

  // `before` and `after` are all parameters around a step; `after` is moved on.
  void lengthen(std::span<const double> before, std::span<double> after);

 private:
  std::vector<double> start_;
  std::vector<double> longest_way_;  // from 1 to a million
};

}  // namespace dpvi
