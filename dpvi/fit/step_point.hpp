#pragma once

#include <functional>
#include <span>

#include <dpvi/base/gradient_term.hpp>

namespace dpvi {

// Where a step evaluates the records, and what it makes of their gradients by theta. Both are
// public: they follow from earlier releases and the step's own draw.
struct StepPoint {
  std::span<const double> theta;
  // The vector to be clipped, as terms of the gradient in working coordinates; empty: that gradient
  // itself.
  std::span<const GradientTerm> joint = {};
};

// Turns a step's standard normal draw into its point. The spans must live until the step ends.
using PointOfDraw = std::function<StepPoint(std::span<const double> draw)>;

}  // namespace dpvi
