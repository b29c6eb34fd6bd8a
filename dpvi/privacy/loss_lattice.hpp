#pragma once

#include <cstdint>
#include <vector>

#include <dpvi/privacy/dominating_pair.hpp>

namespace dpvi {

// Privacy loss of one step under P, rounded to a grid in two ways at once.
//
// Guarantee: `upper` (with `infinite`) belongs to a pair of distributions that dominates the true
// pair, `lower` to a pair that the true one dominates. Both relations survive composition. Rounding
// errors of the masses are included: upper masses are inflated, lower masses deflated.
//
// Upper: the mass of every cell between grid points is split between its edges so that its P-mass
// and Q-mass are both preserved (connect-the-dots). Lower: outcomes are merged until P/Q is exactly
// e^(grid point), which is post-processing. Both have an error of O(spacing^2) per step.
struct LossLattice {
  double spacing = 0;
  double offset = 0;
  std::int64_t first = 0;     // upper[i] and lower[i] are at loss offset + (first + i) * spacing
  std::vector<double> upper;  // P-masses
  std::vector<double> lower;  // P-masses, summing to less than one
  double infinite = 0;        // P-mass treated as an infinite loss in `upper`
};

struct LossRange {
  double least = 0;
  double largest = 0;
};

// Offset of the grid points. If the loss is bounded, the grid contains its bound, where much of the
// mass may be.
double grid_offset(const DominatingPair<double>& pair);

LossLattice make_loss_lattice(const DominatingPair<double>& pair, double spacing,
                              const LossRange& range);

}  // namespace dpvi
