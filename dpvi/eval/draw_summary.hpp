#pragma once

#include <span>

namespace dpvi {

// Summary of a marginal posterior. All numbers are NaN if the draws contain a NaN.
struct DrawSummary {
  double mean = 0.0;
  double sd = 0.0;  // with divisor n - 1; NaN for a single draw
  double q5 = 0.0;
  double median = 0.0;
  double q95 = 0.0;
};

// Requires at least one draw.
DrawSummary summarise_draws(std::span<const double> draws);

// Quantile of type 7 of Hyndman & Fan (1996), the default of R and numpy: linear between order
// statistics, from the smallest at 0 to the largest at 1. `sorted` must be ascending and not empty.
double quantile(std::span<const double> sorted, double probability);

}  // namespace dpvi
