#pragma once

namespace dpvi {

struct VonMises {
  double value = 0.0;
  double by_x = 0.0;
  double by_kappa = 0.0;
};

// The share of a von Mises distribution around 0 between -pi and x, |x| <= pi, kappa > 0, as Stan
// approximates it (after Hill's algorithm 518): to twelve digits for kappa below 49, and from 50 on
// by a normal distribution, which is off by some 1e-4. NaN outside the domain; nothing throws.
VonMises von_mises_cdf(double x, double kappa);

}  // namespace dpvi
