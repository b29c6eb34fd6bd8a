#pragma once

#include <vector>

namespace dpvi {

// A plain sum of record gradients, neither clipped nor on the grid. Anyone may create one. Only
// UnprotectedMechanism accepts it, and stamps the result not private.
struct UnclippedSum {
  std::vector<double> values;
};

}  // namespace dpvi
