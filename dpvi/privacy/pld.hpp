#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <dpvi/privacy/adjacency.hpp>
#include <dpvi/privacy/bracket.hpp>
#include <dpvi/privacy/event.hpp>

namespace dpvi {

// How much work to put into a bracket. Changes its width, never its validity. Errors are those of
// epsilon's upper end, as estimated while refining.
struct PldEffort {
  double wanted_error = 5e-7;    // sought for runs of few steps; for others, if it is more,
  double relative_error = 2e-5;  // this much of epsilon,
  double absolute_error = 3e-5;  // but no more than this
  double relative_width = 1e-3;  // of epsilon; a bracket wider than this
  double absolute_width = 1e-4;  // and than this is refined beyond the usual
  std::size_t usual_length = std::size_t{1} << 17;      // grid points for the wanted error
  std::size_t few_steps_length = std::size_t{1} << 19;  // the same for runs of few steps
  std::size_t largest_length = std::size_t{1} << 20;    // limits memory and time
  std::int64_t few_steps = 1024;
};

// Privacy-loss-distribution accountant, the default: the smallest epsilon for which the run is
// (epsilon, delta)-differentially private. Under add_remove the worse of adding and removing.
// delta = 0 gives an infinite epsilon unless the run has no steps.
Bracket pld_epsilon(std::span<const GaussianPhase> run, Adjacency adjacency, double delta,
                    const PldEffort& effort = {});

// The smallest delta for which the run is (epsilon, delta)-differentially private.
Bracket pld_delta(std::span<const GaussianPhase> run, Adjacency adjacency, double epsilon,
                  const PldEffort& effort = {});

}  // namespace dpvi
