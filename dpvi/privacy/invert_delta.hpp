#pragma once

#include <cmath>

#include <dpvi/privacy/bracket.hpp>

namespace dpvi {

// Converts certified deltas to a certified epsilon. At both ends `delta_at(epsilon)` itself proves
// the claim, so the search need not be trusted. `delta_at` must decrease to 0.
template <class DeltaAt>
Bracket invert_delta(const DeltaAt& delta_at, double delta) {
  double above = 1;
  while (delta_at(above).upper > delta && std::isfinite(above)) above *= 2;
  const auto bisect = [&](auto&& is_below_root) {
    Bracket ends{0, above};
    for (int i = 0; i < 200; ++i) {
      const double middle = (ends.lower + ends.upper) / 2;
      if (middle <= ends.lower || middle >= ends.upper) break;
      (is_below_root(middle) ? ends.lower : ends.upper) = middle;
    }
    return ends;
  };
  if (delta_at(0).upper <= delta) return {0, 0};
  const auto too_private = [&](double epsilon) { return delta_at(epsilon).lower >= delta; };
  const auto not_private = [&](double epsilon) { return delta_at(epsilon).upper > delta; };
  return {too_private(0) ? bisect(too_private).lower : 0, bisect(not_private).upper};
}

}  // namespace dpvi
