#pragma once

#include <vector>

namespace dpvi {

// A plain sum of record gradients, neither clipped nor on the grid. Anybody may make one, and only
// the UnprotectedMechanism takes it, which stamps what comes out of it not private.
struct UnclippedSum {
  std::vector<double> values;
};

}  // namespace dpvi
