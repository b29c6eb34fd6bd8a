#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <dpvi/privacy/dominating_pair.hpp>
#include <dpvi/privacy/event.hpp>
#include <dpvi/privacy/loss_composition.hpp>
#include <dpvi/privacy/loss_moments.hpp>

namespace dpvi {

// Chooses tilt, window and loss ranges for one direction of an epsilon or delta question. A poor
// choice widens the bracket but never invalidates it.
class CompositionLayout {
 public:
  // Plan for the epsilon at a given delta.
  static CompositionLayout for_delta(std::span<const GaussianPhase> run, Direction direction,
                                     double delta);
  // Plan for the delta at a given epsilon.
  static CompositionLayout for_epsilon(std::span<const GaussianPhase> run, Direction direction,
                                       double epsilon);

  // False if losses are too large for double precision or too small to be distinguished from zero.
  bool feasible() const { return feasible_; }
  double tilt() const { return grid_.tilt; }
  double epsilon_guess() const { return epsilon_guess_; }
  double largest_guess() const { return largest_guess_; }
  double guess_deviation() const { return guess_deviation_; }
  // Standard deviation of the total loss.
  double deviation() const { return deviation_; }
  // Number of grid points at which rounding losses to the grid changes epsilon by about 2 %.
  double rough_length() const { return rough_length_; }

  // Chooses the window for a number of grid points. `epsilon` is the range in which the answer is
  // expected; a narrower range allows a finer grid.
  void focus(const Bracket& epsilon, std::size_t length);

  ComposedLoss compose() const;

  // Takes the round-off of the last composition as a multiple of the tolerable amount. The next
  // window trades length against round-off accordingly.
  void learn(double round_off_share);

 private:
  struct Window;
  void describe(std::span<const GaussianPhase> run, Direction direction, double delta);
  Cumulants total(double tilt) const;
  double total_log_moment(double tilt) const;
  double least_chernoff_tilt() const;
  void guess_length(double epsilon);
  double tilt_centred_at(double epsilon) const;
  void choose_window(const Bracket& epsilon);
  Window window_for(double tilt, const Bracket& epsilon) const;

  bool feasible_ = false;
  double delta_ = 0;  // order of magnitude of the delta to be resolved
  double deviation_ = 0;
  double step_count_ = 0;
  double spacing_ = 0;
  double largest_tilt_ = 0;
  double epsilon_guess_ = 0;
  double largest_guess_ = 0;    // approximate upper limit of epsilon (Chernoff)
  double guess_deviation_ = 0;  // of the tilted loss around the guess
  double allowance_ = 1.5;      // ln of the factor by which a smaller tilt may increase round-off
  double rough_length_ = 0;
  double largest_loss_ = 0;   // in one step
  double widest_range_ = 0;   // of the losses in one step
  double largest_total_ = 0;  // upper bound on the total loss
  std::vector<double> low_tilts_, low_log_moments_;
  std::vector<ComposedSteps> steps_;
  std::vector<LossMoments> moments_;
  CompositionGrid grid_;
};

}  // namespace dpvi
