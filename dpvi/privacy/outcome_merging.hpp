#pragma once

#include <span>
#include <vector>

namespace dpvi {

// What is certain about the outcomes whose loss lies between two neighbouring grid points i h and
// (i+1) h: bounds that hold whatever rounding did.
struct CertainCell {
  double p_low = 0;         // P-mass
  double q_low = 0;         // Q-mass times e^(i h)
  double q_high = 0;        //
  double excess_low = 0;    // P-mass minus e^(i h) times Q-mass
  double deficit_high = 0;  // e^((i+1) h) times Q-mass minus P-mass
};

// Merges outcomes into new ones whose ratio of P- to Q-mass is at least e^(i h), one for each of
// the cells' edges, and returns their P-masses. Merging is post-processing, so the result belongs
// to a pair that the true one dominates. Nearly all ratios come out exactly e^(i h), so little is
// lost: O(h^2) a step where the cells are smooth.
//
// `crowd` divides the first cell, from its upper edge down, where a bounded loss gathers its mass
// more closely than the grid can tell; all bounds still refer to the whole cell's edges.
std::vector<double> merge_outcomes(std::span<const CertainCell> cells,
                                   std::span<const CertainCell> crowd, double spacing);

}  // namespace dpvi
