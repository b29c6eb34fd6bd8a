#pragma once

#include <array>

namespace dpvi {

// Logs of distribution functions that have no closed form, and Owen's T, with derivatives with
// respect to all arguments. They are NaN outside the domain and never throw. The errors of values
// and derivatives are relative to the larger of 1 and their own size. They are about 1e-12 for
// shapes up to a thousand, and 1e-9 for shapes up to ten million.

struct LogTails {
  double lower = 0.0;       // log P(a, x)
  double upper = 0.0;       // log Q(a, x)
  double lower_by_a = 0.0;  // derivatives of the two
  double upper_by_a = 0.0;
  double lower_by_x = 0.0;
  double upper_by_x = 0.0;
};

// Logs of the regularised incomplete gamma functions P and Q = 1 - P, for a > 0 and x >= 0.
LogTails log_incomplete_gamma(double a, double x);

struct LogBeta {
  double value = 0.0;
  std::array<double, 3> by{};  // derivatives with respect to a, b and x
};

// Log of the regularised incomplete beta function I_x(a, b), for a, b > 0 and 0 <= x <= 1.
LogBeta log_incomplete_beta(double a, double b, double x);

struct LogStudent {
  double value = 0.0;
  double by_nu = 0.0;
  double by_t = 0.0;
};

// Log of Student's t distribution function with nu degrees of freedom.
LogStudent log_student_t_cdf(double nu, double t);

struct OwensT {
  double value = 0.0;
  double by_h = 0.0;
  double by_a = 0.0;
};

// Owen's T: 1 / (2 pi) times the integral of exp(-h^2 (1 + x^2) / 2) / (1 + x^2) over x from 0 to
// a.
OwensT owens_t(double h, double a);

}  // namespace dpvi
