#pragma once

#include <functional>
#include <optional>

#include <dpvi/fit/record_model.hpp>
#include <dpvi/stan/call_context.hpp>

namespace dpvi {

// How often the gradients that a fit uses were held against differences of the density, and how
// often the two disagreed. Both are 0 where no made-up record has a finite density.
struct GradientTest {
  int compared = 0;
  int failed = 0;
  // One disagreement may be a kink beside the point; two are a mistake.
  bool passed() const { return failed < 2; }
};

// Is `slope` the derivative at 0 of a function of one number? Nothing where it is not finite
// nearby. Where differences of two widths disagree, as across a kink, any slope near them will do.
std::optional<bool> slope_agrees(const std::function<double(double)>& along, double slope);

// Compares reverse-mode derivatives of the prior and of made-up records, along random directions
// and at several points, with differences of plainly evaluated densities.
GradientTest test_gradients(const RecordModel& model, const RecordFacts& facts);

}  // namespace dpvi
