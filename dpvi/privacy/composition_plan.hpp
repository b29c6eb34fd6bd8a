#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <dpvi/privacy/dominating_pair.hpp>
#include <dpvi/privacy/event.hpp>
#include <dpvi/privacy/loss_composition.hpp>
#include <dpvi/privacy/loss_moments.hpp>

namespace dpvi {

// Chooses tilt, window and ranges for one direction of one question. A poor choice makes a wide
// bracket, never a wrong one.
class CompositionPlan {
 public:
  // For the epsilon at a given delta.
  static CompositionPlan for_delta(std::span<const GaussianPhase> run, Direction direction,
                                   double delta);
  // For the delta at a given epsilon.
  static CompositionPlan for_epsilon(std::span<const GaussianPhase> run, Direction direction,
                                     double epsilon);

  // False where losses are too large for double precision or too small to be told from zero.
  bool feasible() const { return feasible_; }
  double tilt() const { return grid_.tilt; }
  double epsilon_guess() const { return epsilon_guess_; }
  double largest_guess() const { return largest_guess_; }
  double guess_deviation() const { return guess_deviation_; }
  // Of the total loss.
  double deviation() const { return deviation_; }
  // Grid points with which rounding losses to the grid changes epsilon by about one in fifty.
  double rough_length() const { return rough_length_; }

  // Chooses the window for a number of grid points, believing that the epsilon in question lies
  // inside `epsilon`: the closer, the finer the grid.
  void focus(const Bracket& epsilon, std::size_t length);

  ComposedLoss compose() const;

  // Told how much round-off the last composition suffered, in shares of what is tolerable, the
  // next window trades length against it.
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
  double delta_ = 0;  // the size of what is to be resolved
  double deviation_ = 0;
  double step_count_ = 0;
  double spacing_ = 0;
  double largest_tilt_ = 0;
  double epsilon_guess_ = 0;
  double largest_guess_ = 0;    // about the most that epsilon can be (Chernoff)
  double guess_deviation_ = 0;  // of the tilted loss around it
  double allowance_ = 1.5;      // ln of how much more round-off a smaller tilt may cause
  double rough_length_ = 0;
  double largest_loss_ = 0;   // of one step
  double widest_range_ = 0;   // of one step's losses
  double largest_total_ = 0;  // no total loss is above this
  std::vector<double> low_tilts_, low_log_moments_;
  std::vector<ComposedSteps> steps_;
  std::vector<LossMoments> moments_;
  CompositionGrid grid_;
};

}  // namespace dpvi
