#pragma once

#include <functional>
#include <span>
#include <vector>

namespace dpvi {

// A smooth function to be maximised: writes the gradient, returns the value, which may be -inf or
// NaN outside the domain.
using ValueAndGradientFunction =
    std::function<double(std::span<const double> theta, std::span<double> gradient)>;

ValueAndGradientFunction sum_of(ValueAndGradientFunction a, ValueAndGradientFunction b);

// Minus the matrix of second derivatives, row-major, by differences of gradients.
std::vector<double> minus_hessian(const ValueAndGradientFunction& function,
                                  std::span<const double> theta);

struct Mode {
  std::vector<double> theta;
  std::vector<double> precision;  // minus the Hessian, row-major; positive definite
  double value = 0.0;             // of the function, there
  bool converged = false;
};

// Climbs from `start` by damped Newton steps, the Hessian being differences of gradients. Where the
// Hessian is not negative definite, its eigenvalues are bent to be: the precision is then that of a
// narrower Gaussian. Meant for up to a few hundred parameters and for public or unprotected data.
Mode find_mode(const ValueAndGradientFunction& function, std::span<const double> start);

}  // namespace dpvi
