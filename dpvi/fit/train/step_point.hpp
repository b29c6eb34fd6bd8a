#pragma once

#include <functional>
#include <span>

#include <dpvi/base/gradient_term.hpp>

namespace dpvi {

// The point at which a step evaluates the records, and the transform of their gradients in theta.
// Both are public: they depend on earlier releases and the step's own draw.
struct StepPoint {
  std::span<const double> theta;
  // The vector to clip, as terms of the gradient in working coordinates. If empty, that gradient
  // itself is clipped.
  std::span<const GradientTerm> joint = {};
};

// Turns the standard normal draw of a step into its point. The spans must live until the step ends.
using PointOfDraw = std::function<StepPoint(std::span<const double> draw)>;

}  // namespace dpvi
