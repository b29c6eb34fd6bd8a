#pragma once

#include <span>
#include <vector>

namespace dpvi {

// Lengthens the steps of parameters that have far to go.
//
// Step sizes assume that the optimum is about one unit from the start, in working coordinates. A
// parameter that has already been further away shows that its own optimum is not: its steps become
// longer in proportion to its largest distance from the start. Parameters that only fluctuate with
// the noise stay within about one unit and keep their steps, so they fluctuate no further. (Ivgi,
// Hinder & Carmon 2023 apply the same idea to a whole vector.)
//
// Guarantee: step lengths are a function of iterates alone, which follow from releases.
class DistanceScaledSteps {
 public:
  // Applies to as many leading parameters as `start` has; later parameters keep their steps.
  explicit DistanceScaledSteps(std::span<const double> start);

  // `before` and `after` hold all parameters before and after a step. Moves `after` further.
  void lengthen(std::span<const double> before, std::span<double> after);

 private:
  std::vector<double> start_;
  std::vector<double> longest_way_;  // between 1 and a million
};

}  // namespace dpvi
