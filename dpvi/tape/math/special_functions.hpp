#pragma once

namespace dpvi {

// Special functions that the C++ library lacks or implements with global state. They are NaN
// outside the domain and never throw.
double log_gamma(double x);  // log |gamma(x)|; +inf at poles
double digamma(double x);
double trigamma(double x);
double tetragamma(double x);  // derivative of trigamma

double standard_normal_cdf(double x);
double log_standard_normal_cdf(double x);
// The density over the distribution function, which is the derivative of log_standard_normal_cdf.
double inverse_mills_ratio(double x);
double standard_normal_quantile(double p);

double log_bessel_i0(double x);
double bessel_i1_over_i0(double x);

}  // namespace dpvi
