#pragma once

namespace dpvi {

// The value and derivative of a function of x.
struct ValueAndSlope {
  double value = 0.0;
  double slope = 0.0;
};

// Cylindrical Bessel functions of a given order: J, Y, and the modified I and K. log_bessel_i is
// the log of I for orders above -1 and x >= 0, and neither overflows nor underflows. All are NaN
// outside the domain.
ValueAndSlope bessel_j(double order, double x);
ValueAndSlope bessel_y(double order, double x);
ValueAndSlope bessel_i(double order, double x);
ValueAndSlope bessel_k(double order, double x);
ValueAndSlope log_bessel_i(double order, double x);

// The two real branches of Lambert's W, for x >= -1/e and for -1/e <= x < 0.
ValueAndSlope lambert_w0(double x);
ValueAndSlope lambert_wm1(double x);

}  // namespace dpvi
