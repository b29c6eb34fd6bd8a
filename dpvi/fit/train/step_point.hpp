#pragma once

#include <functional>
#include <optional>
#include <span>

#include <dpvi/base/gradient_term.hpp>
#include <dpvi/gradient/clip_settings.hpp>
#include <dpvi/gradient/coordinates.hpp>
#include <dpvi/gradient/outcome_bins.hpp>

namespace dpvi {

// The point at which a step evaluates the records, and the transform of their gradients in theta.
// Both are public: they depend on earlier releases and the step's own draw.
struct StepPoint {
  std::span<const double> theta;
  // The vector to clip, as terms of the gradient in working coordinates. If empty, that gradient
  // itself is clipped.
  std::span<const GradientTerm> joint = {};
  // Working coordinates and clip bound of this step alone; nullptr and nullopt: those of the run.
  const Coordinates* coordinates = nullptr;
  std::optional<double> clip_bound = std::nullopt;
  ReleasedSum sum = ReleasedSum::gradients;
  // Of counts.
  const OutcomeBins* bins = nullptr;
};

// Turns the standard normal draw of a step into its point. The spans must live until the step ends.
using PointOfDraw = std::function<StepPoint(std::span<const double> draw)>;

}  // namespace dpvi
