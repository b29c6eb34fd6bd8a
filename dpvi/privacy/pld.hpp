#pragma once

#include <cstddef>
#include <span>

#include <dpvi/privacy/adjacency.hpp>
#include <dpvi/privacy/bracket.hpp>
#include <dpvi/privacy/event.hpp>

namespace dpvi {

// How much work to put into a bracket. Changes its width, never its validity.
struct PldEffort {
  double wanted_width = 1e-6;    // of epsilon; reached wherever usual_length allows
  double relative_width = 1e-3;  // of epsilon; with absolute_width decides when to go beyond
  double absolute_width = 1e-4;  // usual_length: width > max(relative * epsilon, absolute)
  std::size_t usual_length = std::size_t{1} << 18;
  std::size_t largest_length = std::size_t{1} << 21;  // hard limit on memory and time
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
