#pragma once

#include <functional>
#include <span>

namespace dpvi {

// A log density on R^d, up to a constant: returns its value and writes its gradient, d numbers. The
// value may be infinite or NaN. Several threads may call it at once.
using LogDensity = std::function<double(std::span<const double> point, std::span<double> gradient)>;

}  // namespace dpvi
