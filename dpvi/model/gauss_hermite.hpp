#pragma once

#include <vector>

namespace dpvi {

// Nodes x and weights w with sum of w f(x) = integral of exp(-x^2) f(x), exact for polynomials f up
// to degree 2 n - 1. The nodes ascend and are symmetric about zero.
struct GaussHermite {
  std::vector<double> nodes;
  std::vector<double> log_weights;
};
GaussHermite gauss_hermite(int count);

}  // namespace dpvi
