#pragma once

namespace dpvi {

struct VonMises {
  double value = 0.0;
  double by_x = 0.0;
  double by_kappa = 0.0;
};

// The probability of [-pi, x] under a von Mises distribution centred at 0, in Stan's approximation
// (after Hill's algorithm 518). The domain is |x| <= pi and kappa > 0. The result has twelve
// correct digits for kappa below 49. From 50 on it is a normal approximation with an error of about
// 1e-4. NaN outside the domain; never throws.
VonMises von_mises_cdf(double x, double kappa);

}  // namespace dpvi
