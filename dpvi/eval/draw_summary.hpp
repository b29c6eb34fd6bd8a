#pragma once

#include <span>

namespace dpvi {

// A marginal posterior in five numbers. NaN where the draws hold a NaN.
struct DrawSummary {
  double mean = 0.0;
  double sd = 0.0;  // with n - 1 below; NaN for a single draw
  double q5 = 0.0;
  double median = 0.0;
  double q95 = 0.0;
};

// At least one draw.
DrawSummary summarise_draws(std::span<const double> draws);

// Type 7 of Hyndman & Fan (1996), the default of R and numpy: linear between order statistics, the
// smallest at 0 and the largest at 1. `sorted` ascends and is not empty.
double quantile(std::span<const double> sorted, double probability);

}  // namespace dpvi
