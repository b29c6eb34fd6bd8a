#pragma once

#include <functional>
#include <span>
#include <vector>

namespace dpvi {

// A smooth function to maximise. It writes the gradient and returns the value, which may be -inf or
// NaN outside the domain.
using ValueAndGradientFunction =
    std::function<double(std::span<const double> theta, std::span<double> gradient)>;

ValueAndGradientFunction sum_of(ValueAndGradientFunction a, ValueAndGradientFunction b);

// Negative Hessian, row-major, by differences of gradients.
std::vector<double> minus_hessian(const ValueAndGradientFunction& function,
                                  std::span<const double> theta);

struct Mode {
  std::vector<double> theta;
  std::vector<double> precision;  // negative Hessian, row-major; positive definite
  double value = 0.0;             // of the function at the mode
  bool converged = false;
};

// Maximises by damped Newton steps from `start`, with the Hessian from differences of gradients. If
// the Hessian is not negative definite, its eigenvalues are made negative; the precision is then
// that of a narrower Gaussian. Meant for up to a few hundred parameters and for public or
// unprotected data.
Mode find_mode(const ValueAndGradientFunction& function, std::span<const double> start);

}  // namespace dpvi
