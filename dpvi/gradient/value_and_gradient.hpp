#pragma once

#include <vector>

namespace dpvi {

// Sum of the log densities of records, and its gradient.
struct ValueAndGradient {
  double value = 0.0;
  std::vector<double> gradient;
};

}  // namespace dpvi
