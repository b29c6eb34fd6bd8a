#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <dpvi/privacy/adjacency.hpp>
#include <dpvi/privacy/bracket.hpp>
#include <dpvi/privacy/event.hpp>

namespace dpvi {

// Effort spent on a bracket. It changes the bracket's width, never its validity. Errors are those
// of epsilon's upper end, as estimated during refinement.
struct PldEffort {
  double wanted_error = 5e-7;    // goal for runs of few steps, and smallest goal for others
  double relative_error = 2e-5;  // goal for other runs, relative to epsilon
  double absolute_error = 3e-5;  // largest goal for other runs
  double relative_width = 1e-3;  // sufficient width of a bracket, relative to epsilon
  double absolute_width = 1e-4;  // sufficient width, absolute; the larger of the two applies
  std::size_t usual_length = std::size_t{1} << 17;      // longest grid used to reach the goal
  std::size_t few_steps_length = std::size_t{1} << 19;  // the same for runs of few steps
  std::size_t largest_length = std::size_t{1} << 20;  // longest grid of all; limits memory and time
  std::int64_t few_steps = 1024;
};

// Privacy-loss-distribution accountant, the default. Returns the smallest epsilon for which the run
// is (epsilon, delta)-differentially private. Under add_remove this is the worse of adding and
// removing. For delta = 0 epsilon is infinite unless the run has no steps.
Bracket pld_epsilon(std::span<const GaussianPhase> run, Adjacency adjacency, double delta,
                    const PldEffort& effort = {});

// Returns the smallest delta for which the run is (epsilon, delta)-differentially private.
Bracket pld_delta(std::span<const GaussianPhase> run, Adjacency adjacency, double epsilon,
                  const PldEffort& effort = {});

}  // namespace dpvi
