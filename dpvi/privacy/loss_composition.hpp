#pragma once

#include <cstdint>
#include <span>

#include <dpvi/privacy/bracket.hpp>
#include <dpvi/privacy/loss_spectrum.hpp>
#include <dpvi/privacy/tilted_step.hpp>

namespace dpvi {

// Distribution of the total loss of all steps, with certified upper and lower ends.
class ComposedLoss {
 public:
  ComposedLoss(std::span<const ComposedSteps> phases, const CompositionGrid& grid);

  // Guarantee: delta at any epsilon lies between the ends.
  Bracket delta(double epsilon) const;

  // Guarantee: the smallest epsilon >= 0 that is private at `delta` lies between the ends. An upper
  // end that cannot be found is infinite; such a lower end is 0.
  Bracket epsilon(double delta) const;

  // The part of delta at epsilon that is uncertain because of round-off.
  double round_off_at(double epsilon) const;

 private:
  double loss_at(std::int64_t index) const;
  Bracket delta_at(std::int64_t index) const;
  double crossing(std::int64_t index, double target, double Bracket::*end) const;

  double spacing_ = 0;
  double tilt_ = 0, far_tilt_ = 0, low_tilt_ = 0;
  double largest_epsilon_ = 0;
  double offset_ = 0;             // of the grid of total losses
  double loss_error_ = 0;         // rounding error of a loss on that grid
  std::int64_t first_ = 0;        // grid index of the window's start
  std::int64_t reach_ = 0;        // number of grid points above epsilon that are counted
  std::int64_t first_place_ = 0;  // position of first_ in deltas_
  double log_scale_ = 0;          // ln of the weight of a tilted mass at loss 0
  double log_far_moment_ = 0;     // ln E[e^(far_tilt L)], upper end
  double log_low_moment_ = 0;     // ln E[e^(-low_tilt L)], lower end
  double largest_ = 0;            // upper bound on finite losses
  double infinite_ = 0;           // P-mass at infinite loss, upper end only
  double relative_error_ = 0;     // of the scale
  TiltedDeltas deltas_;
};

}  // namespace dpvi
