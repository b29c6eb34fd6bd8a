#pragma once

namespace dpvi {

// Guarantee: lower <= the true value <= upper, rounding errors included. Privacy claims use upper.
struct Bracket {
  double lower = 0.0;
  double upper = 0.0;

  double width() const { return upper - lower; }
};

}  // namespace dpvi
