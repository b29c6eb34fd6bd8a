#pragma once

#include <functional>
#include <optional>

#include <dpvi/fit/prepare/record_model.hpp>
#include <dpvi/stan/value/call_context.hpp>

namespace dpvi {

// Comparisons of the gradients used by a fit with differences of the density, and the number of
// disagreements. Both are 0 if no mock record has a finite density.
struct GradientTest {
  int compared = 0;
  int failed = 0;
  // One disagreement may be due to a kink near the point; two indicate an error.
  bool passed() const { return failed < 2; }
};

// True if `slope` is the derivative of a univariate function at 0; nullopt if the function is not
// finite nearby. If differences of two widths disagree, as across a kink, the tolerance grows.
std::optional<bool> slope_agrees(const std::function<double(double)>& along, double slope);

// Compares reverse-mode derivatives of the prior and of mock records with differences of plainly
// evaluated densities, along random directions and at several points.
GradientTest test_gradients(const RecordModel& model, const RecordFacts& facts);

}  // namespace dpvi
