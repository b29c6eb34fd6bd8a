#pragma once

#include <span>

namespace dpvi {

// Quantiles of type 7 of Hyndman & Fan (1996), like quantile() in draw_summary.hpp.
struct RowQuantiles {
  double q5 = 0.0;
  double q95 = 0.0;
};

// Finds the numbers that stand at the quantiles' places if sorted, without sorting. There must be
// at least one number and no NaN. Changes the order of the numbers.
RowQuantiles row_quantiles(std::span<double> numbers);

}  // namespace dpvi
