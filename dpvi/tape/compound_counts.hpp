#pragma once

#include <array>

namespace dpvi {

// The log of a distribution function and its derivatives by the arguments after the count.
struct LogShare {
  double value = 0.0;
  std::array<double, 3> by{};
};

// log P(Y <= n) of counts whose rate follows a beta distribution, by a sum over the counts; value
// and derivatives are good to about 1e-12 of the larger of 1 and themselves. NaN outside the
// domain, and where the sum would have more than a million terms.

// Successes in `trials` trials; a, b > 0. The derivative by the trials is given as zero.
LogShare log_beta_binomial_cdf(double n, double trials, double a, double b);
// Failures before success number r, in Stan's parameters; r, a, b > 0.
LogShare log_beta_neg_binomial_cdf(double n, double r, double a, double b);

}  // namespace dpvi
