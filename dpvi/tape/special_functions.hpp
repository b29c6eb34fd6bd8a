#pragma once

namespace dpvi {

// Special functions that the C++ library lacks or has with global state. NaN outside the domain;
// nothing throws.
double log_gamma(double x);  // log |gamma(x)|; +inf at poles
double digamma(double x);
double trigamma(double x);
double tetragamma(double x);  // derivative of trigamma

double standard_normal_cdf(double x);
double log_standard_normal_cdf(double x);
// Density over distribution function: the derivative of log_standard_normal_cdf.
double inverse_mills_ratio(double x);
double standard_normal_quantile(double p);

double log_bessel_i0(double x);
double bessel_i1_over_i0(double x);

}  // namespace dpvi
