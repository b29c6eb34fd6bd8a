#pragma once

#include <span>
#include <vector>

namespace dpvi {

// Bounds on the outcomes whose loss lies between two adjacent grid points i h and (i+1) h. They
// hold whatever rounding did.
struct CertainCell {
  double p_low = 0;         // P-mass
  double q_low = 0;         // Q-mass times e^(i h)
  double q_high = 0;        // Q-mass times e^(i h)
  double excess_low = 0;    // P-mass minus e^(i h) times Q-mass
  double deficit_high = 0;  // e^((i+1) h) times Q-mass minus P-mass
};

// Merges outcomes into new ones, one for each edge of the cells, and returns their P-masses. At
// edge i the ratio of P- to Q-mass is at least e^(i h). Merging is post-processing, so the result
// belongs to a pair that the true pair dominates. Nearly all ratios are exactly e^(i h), so little
// is lost: O(h^2) per step if the cells are smooth.
//
// `crowd` divides the first cell, from its upper edge down, if a bounded loss concentrates its mass
// more closely than the grid can resolve. All bounds still refer to the edges of the whole cell.
std::vector<double> merge_outcomes(std::span<const CertainCell> cells,
                                   std::span<const CertainCell> subcells, double spacing);

}  // namespace dpvi
