#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <dpvi/privacy/bracket.hpp>
#include <dpvi/privacy/tilted_step.hpp>

namespace dpvi {

// Distribution of the total loss of all steps, as two certified ends.
class ComposedLoss {
 public:
  ComposedLoss(std::span<const ComposedSteps> phases, const CompositionGrid& grid);

  // Guarantee: delta at epsilon >= window_start lies between the ends; below window_start too, but
  // the bracket gets wide.
  Bracket delta(double epsilon) const;

  // Guarantee: the smallest epsilon >= 0 that is private at `delta` lies between the ends. An end
  // that would lie below the window is given as 0 (lower) or the window's start (upper).
  Bracket epsilon(double delta) const;

  // How much of delta at epsilon is doubt about round-off.
  double round_off_at(double epsilon) const;

 private:
  struct End;  // one end's tail sums while the window is walked from the top
  template <class Visit>
  void walk_down(const Visit& visit) const;
  double round_off(double weight) const;
  double full_round_off(double weight) const;
  double lower_fold(std::int64_t index) const;

  double loss_at(std::int64_t index) const;

  double spacing_ = 0;
  double offset_ = 0;      // of the grid of total losses
  double loss_error_ = 0;  // rounding of a loss on that grid
  double tilt_ = 0;
  std::int64_t first_ = 0;        // grid index of window_start
  std::int64_t first_place_ = 0;  // its place in masses_
  double log_scale_ = 0;          // ln of what a tilted mass at the window's start weighs
  double infinite_ = 0;           // P-mass at infinite loss, upper end only
  double far_tilt_ = 0;
  double upper_fold_ = 0;      // delta that aliasing may have hidden from the upper end
  double lower_fold_ = 0;      // delta that losses below the window may have added to the lower end
  double far_fold_ = 0;        // the same by losses beyond it, at epsilon = window_start
  double round_off_ = 0;       // the same for delta at window_start, in units of e^log_scale
  double mass_error_ = 0;      // bound on the error of every tilted mass
  double relative_error_ = 0;  // of sums over the window and of the scale
  std::vector<std::complex<double>> masses_;  // tilted; real part upper, imaginary part lower end
};

}  // namespace dpvi
