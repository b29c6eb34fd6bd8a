#pragma once

#include <array>

namespace dpvi {

// Logarithms of distribution functions that have no closed form, with their derivatives by all
// arguments. NaN outside the domain; nothing throws. Values and derivatives are good to about
// 1e-12 of the larger of 1 and themselves for shapes up to a thousand, and to 1e-9 up to ten
// million.

struct LogTails {
  double lower = 0.0;       // log P(a, x)
  double upper = 0.0;       // log Q(a, x)
  double lower_by_a = 0.0;  // their derivatives
  double upper_by_a = 0.0;
  double lower_by_x = 0.0;
  double upper_by_x = 0.0;
};

// The regularised incomplete gamma functions P and Q = 1 - P, a > 0, x >= 0.
LogTails log_incomplete_gamma(double a, double x);

struct LogBeta {
  double value = 0.0;
  std::array<double, 3> by{};  // derivatives by a, b and x
};

// The regularised incomplete beta function I_x(a, b), a, b > 0, 0 <= x <= 1.
LogBeta log_incomplete_beta(double a, double b, double x);

struct LogStudent {
  double value = 0.0;
  double by_nu = 0.0;
  double by_t = 0.0;
};

// Student's t distribution function with nu degrees of freedom.
LogStudent log_student_t_cdf(double nu, double t);

struct OwensT {
  double value = 0.0;
  double by_h = 0.0;
  double by_a = 0.0;
};

// 1 / (2 pi) times the integral of exp(-h^2 (1 + x^2) / 2) / (1 + x^2) over x from 0 to a.
OwensT owens_t(double h, double a);

}  // namespace dpvi
